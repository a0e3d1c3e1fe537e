//! What stands for a flow with errors: the types that a program uses, with the same methods, so that rustc reports
//! the mistakes of the flow and not a hundred that follow from them.

use proc_macro2::TokenStream;
use quote::quote;
use watershed_lang::ast::{File, ItemKind};

use super::names::{ident, snake_case};
use super::{Emitted, Item};
use crate::hir::ConfigType;

/// The skeleton of a flow. `runtime_path` is the path of the runtime crate.
#[must_use]
pub fn skeleton(file: &File, runtime_path: &str) -> Emitted {
    let path: TokenStream = runtime_path.parse().unwrap_or_else(|_| quote!(::watershed));
    let setters = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Config(config) => Some(setter(&path, &config.name.value, &config.ty.value)),
        _ => None,
    });
    let tokens = quote! {
        /// The flow of a text with errors: it has the methods of the real one and cannot be built.
        #[derive(Debug, Default)]
        pub struct Flow {}

        #[allow(dead_code, reason = "a program calls the methods that it needs")]
        impl Flow {
            /// A flow.
            #[must_use]
            pub fn builder() -> Self { Self::default() }

            #(#setters)*

            /// Sets any configuration value by its name.
            #[must_use]
            pub fn set(self, _name: &str, _value: &str) -> Self { self }

            /// Starts the flow.
            ///
            /// # Errors
            /// Never: a flow with errors is not built.
            pub async fn start(self) -> Result<#path::generated::Running, #path::generated::StartError> {
                ::std::future::pending().await
            }

            /// Starts the flow and serves.
            ///
            /// # Errors
            /// Never: a flow with errors is not built.
            pub async fn run(self) -> Result<(), #path::generated::RunError> { ::std::future::pending().await }
        }
    };
    Emitted {
        unsupported: Vec::new(),
        items: vec![Item::new(tokens, None)],
    }
}

fn setter(path: &TokenStream, name: &str, ty: &str) -> TokenStream {
    let ty = ConfigType::ALL
        .into_iter()
        .find(|known| known.name() == ty)
        .unwrap_or(ConfigType::String);
    let ty = match ty {
        ConfigType::String | ConfigType::Secret => quote!(impl Into<String>),
        ConfigType::Int => quote!(i64),
        ConfigType::Double => quote!(f64),
        ConfigType::Bool => quote!(bool),
        ConfigType::Duration => quote!(#path::generated::Duration),
        ConfigType::Bytes => quote!(u64),
    };
    let docs = format!(" Sets `config {name}`.");
    let name = ident(&snake_case(name), proc_macro2::Span::call_site());
    quote! {
        #[doc = #docs]
        #[must_use]
        pub fn #name(self, _value: #ty) -> Self { self }
    }
}
