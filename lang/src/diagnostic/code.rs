//! The stable codes of everything the compiler can report.
//!
//! One table, so that a number stands next to its title and is never given twice. A code that is no longer
//! reported keeps its number: users have it in their settings and in old logs. Ranges: F01xx syntax, F02xx names,
//! F03xx types and CEL, F04xx graph, F05xx connectors, F09xx the compiler itself, W10xx lints.

use std::fmt;

use serde::{Serialize, Serializer};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The program means nothing sure; compilation stops after the phase.
    Error,
    /// The program means something, but hardly what its author wanted.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Makes the enum, its texts and [`Code::ALL`] from one table.
macro_rules! codes {
    ($($name:ident = $text:literal, $title:literal;)*) => {
        /// A kind of finding. Its text form (`F0203`) is part of the public interface and never changes.
        ///
        /// ```
        /// use watershed_lang::diagnostic::{Code, Severity};
        /// assert_eq!(Code::UnknownField.as_str(), "F0203");
        /// assert_eq!(Code::AlwaysTrue.severity(), Severity::Warning);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = concat!($text, ": ", $title)] $name,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable text form, such as `F0203`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// What all findings with this code have in common, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $(Self::$name => $title,)*
                }
            }
        }
    };
}

codes! {
    UnexpectedToken = "F0101", "something else was expected here";
    MissingSemicolon = "F0102", "an item does not end with `;`";
    UnclosedBracket = "F0103", "a bracket is not closed";
    UnmatchedBracket = "F0104", "a bracket closes nothing";
    UnclosedString = "F0105", "a string is not closed";
    UnclosedComment = "F0106", "a comment is not closed";
    TooDeep = "F0107", "the text nests too deeply";
    InvalidEscape = "F0108", "an escape in a string means nothing";
    InvalidNumber = "F0109", "a number is malformed or out of range";
    InvalidUnit = "F0110", "a duration or a size is malformed or out of range";
    ReservedWord = "F0111", "a reserved word stands where a name is needed";
    WrongOperator = "F0112", "an operator of another language";
    WrongQuote = "F0113", "a typographic quotation mark";
    WrongComment = "F0114", "a comment of another language";
    MissingColon = "F0115", "an option or an argument without `:`";
    MissingArrow = "F0116", "an arrow is missing";
    MissingComma = "F0117", "a comma is missing";
    UnknownItem = "F0118", "text that begins no item";
    UnexpectedCharacter = "F0119", "a character that the language does not use";
    FileTooLarge = "F0120", "a file of 4 GiB or more";
    MisplacedItem = "F0121", "an item where it cannot stand";

    UnknownName = "F0201", "a name that is not declared";
    DuplicateName = "F0202", "a name that is declared twice";
    UnknownField = "F0203", "a field that does not exist";
    UnknownFunction = "F0204", "a function that does not exist";
    UnknownOption = "F0205", "an option that does not exist";
    ReservedName = "F0206", "a name that the language keeps for itself";
    WrongNameKind = "F0207", "a name of the wrong kind";
    DuplicateOption = "F0208", "an option that is given twice";
    UnknownStage = "F0209", "a stage that does not exist";
    UnknownType = "F0210", "a type that does not exist";
    UnknownTemplate = "F0211", "a template that does not exist";
    UnknownColumn = "F0212", "a column that the table does not have";

    TypeMismatch = "F0301", "a value of the wrong type";
    NoOverload = "F0302", "an operator or function that does not take these types";
    PredicateNotBool = "F0303", "a predicate that is not `bool`";
    FallibleValue = "F0304", "an expression that can fail where a value is needed";
    UnsupportedExpression = "F0305", "an expression that this version does not compile";
    InvalidRegex = "F0306", "a malformed regular expression";
    SignalUnavailable = "F0307", "a name that this edge does not carry";
    ConstantFails = "F0308", "a constant expression that always fails";
    InvalidMacroArgument = "F0309", "a macro with a wrong argument";
    NotChangeable = "F0310", "a change of something that cannot be changed";
    OutOfBounds = "F0311", "a number that does not fit the field that it is set to";

    RouteWithoutElse = "F0401", "a route that does not take every record";
    StepAfterEnd = "F0402", "a step after the end of a chain";
    ChainWithoutSink = "F0403", "a chain that does not end in a sink";
    Cycle = "F0404", "declarations that need each other";
    MisplacedStage = "F0405", "a stage where it cannot stand";
    UnknownSignal = "F0406", "a signal that does not exist";
    MisplacedElse = "F0407", "an `else` where it cannot stand";
    ChangedMapRead = "F0408", "a read of all attributes behind a change of one";
    TemplateArguments = "F0409", "a template with the wrong arguments";
    DuplicateInstance = "F0410", "two instances with one key";
    TableUnreadable = "F0411", "a table that cannot be read";
    WrongCell = "F0412", "a row whose value does not fit";

    UnknownConnector = "F0501", "a connector that does not exist";
    MissingOption = "F0502", "an option that must be given";
    OptionType = "F0503", "an option of the wrong type";
    OptionTooDeep = "F0504", "an option that cannot read what its value reads";
    InvalidOptionValue = "F0505", "an option with a value that is not allowed";
    NotSupportedYet = "F0506", "a part of the language that this version does not compile";

    Internal = "F0901", "a mistake of the compiler itself";

    AlwaysTrue = "W1001", "a predicate that is always true";
    AlwaysFalse = "W1002", "a predicate that is always false";
    ShadowedArm = "W1003", "an arm that an earlier arm hides";
    UnusedItem = "W1004", "a declaration that nothing uses";
    UnreachableSink = "W1005", "a sink that nothing reaches";
    ChainDropsAll = "W1006", "a chain that drops everything";
    DropWithoutPolicy = "W1007", "a `drop` that keeps what its predicate fails on";
    SinkTwice = "W1008", "a sink that gets everything twice";
    PublishWithoutBatch = "W1009", "publishing to a stream without a batch before it";
    NotEqualMissing = "W1010", "a `!=` that is not true when the key is missing";
    ReadBeforeSet = "W1011", "a predicate that reads an attribute before it is set";
    EmptyTable = "W1012", "a table without rows";
}

impl Code {
    /// Lints warn, everything else is an error; the first letter of the code says which.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self.as_str().as_bytes() {
            [b'W', ..] => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_code_is_given_twice() {
        let texts: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(texts.len(), Code::ALL.len());
    }

    #[test]
    fn codes_are_a_letter_and_four_digits_in_order() {
        let texts: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert!(texts.is_sorted());
        for text in texts {
            assert!(text.len() == 5 && text.starts_with(['F', 'W']), "{text}");
            assert!(
                text.chars().skip(1).all(|digit| digit.is_ascii_digit()),
                "{text}"
            );
        }
    }
}
