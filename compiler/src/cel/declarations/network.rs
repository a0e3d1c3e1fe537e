//! IP addresses and ranges of them.

use super::{Function, Library, Overload, Shape, function, global, member};
use crate::cel::failure::Failure;

/// Addresses and ranges.
pub(super) const LIBRARY: Library = Library {
    name: "network extension",
    functions: LIBRARY_FUNCTIONS,
};

const LIBRARY_FUNCTIONS: &[Function] = &[
    function(
        "ip",
        "the address that the text stands for, or where the range begins",
        "cidr(\"10.0.0.0/8\").ip() == ip(\"10.0.0.0\")",
        &[
            global(Overload::StringToIp, &[Shape::String], Shape::Ip).fails(Failure::Conversion),
            member(Overload::CidrIp, &[Shape::Cidr], Shape::Ip),
        ],
    ),
    function(
        "isIP",
        "whether the text is an address",
        "isIP(\"10.0.0.1\")",
        &[global(Overload::IsIp, &[Shape::String], Shape::Bool)],
    ),
    function(
        "ip.isCanonical",
        "whether the text is the shortest form of an address",
        "ip.isCanonical(\"2001:db8::68\")",
        &[
            global(Overload::IpIsCanonical, &[Shape::String], Shape::Bool)
                .fails(Failure::Conversion),
        ],
    ),
    function(
        "family",
        "4 or 6",
        "ip(\"10.0.0.1\").family() == 4",
        &[member(Overload::IpFamily, &[Shape::Ip], Shape::Int)],
    ),
    function(
        "isLoopback",
        "whether the address is of the machine itself",
        "ip(\"127.0.0.1\").isLoopback()",
        &[member(Overload::IpIsLoopback, &[Shape::Ip], Shape::Bool)],
    ),
    function(
        "isGlobalUnicast",
        "whether the address is a global unicast address",
        "ip(\"192.168.0.1\").isGlobalUnicast()",
        &[member(
            Overload::IpIsGlobalUnicast,
            &[Shape::Ip],
            Shape::Bool,
        )],
    ),
    function(
        "isLinkLocalMulticast",
        "whether the address is a link-local multicast address",
        "ip(\"224.0.0.1\").isLinkLocalMulticast()",
        &[member(
            Overload::IpIsLinkLocalMulticast,
            &[Shape::Ip],
            Shape::Bool,
        )],
    ),
    function(
        "isLinkLocalUnicast",
        "whether the address is a link-local unicast address",
        "ip(\"169.254.169.254\").isLinkLocalUnicast()",
        &[member(
            Overload::IpIsLinkLocalUnicast,
            &[Shape::Ip],
            Shape::Bool,
        )],
    ),
    function(
        "isUnspecified",
        "whether the address is all zero",
        "ip(\"0.0.0.0\").isUnspecified()",
        &[member(Overload::IpIsUnspecified, &[Shape::Ip], Shape::Bool)],
    ),
    function(
        "cidr",
        "the range that the text stands for",
        "cidr(\"10.0.0.0/8\").prefixLength() == 8",
        &[
            global(Overload::StringToCidr, &[Shape::String], Shape::Cidr)
                .fails(Failure::Conversion),
        ],
    ),
    function(
        "isCIDR",
        "whether the text is a range",
        "isCIDR(\"10.0.0.0/8\")",
        &[global(Overload::IsCidr, &[Shape::String], Shape::Bool)],
    ),
    function(
        "containsIP",
        "whether the address lies in the range",
        "cidr(\"10.0.0.0/8\").containsIP(\"10.0.0.1\")",
        &[
            member(
                Overload::CidrContainsIp,
                &[Shape::Cidr, Shape::Ip],
                Shape::Bool,
            ),
            member(
                Overload::CidrContainsIpString,
                &[Shape::Cidr, Shape::String],
                Shape::Bool,
            )
            .fails(Failure::Conversion),
        ],
    ),
    function(
        "containsCIDR",
        "whether the other range lies in the range",
        "cidr(\"10.0.0.0/8\").containsCIDR(\"10.1.0.0/16\")",
        &[
            member(
                Overload::CidrContainsCidr,
                &[Shape::Cidr, Shape::Cidr],
                Shape::Bool,
            ),
            member(
                Overload::CidrContainsCidrString,
                &[Shape::Cidr, Shape::String],
                Shape::Bool,
            )
            .fails(Failure::Conversion),
        ],
    ),
    function(
        "masked",
        "the range with the bits behind the prefix cleared",
        "cidr(\"10.1.0.0/8\").masked() == cidr(\"10.0.0.0/8\")",
        &[member(Overload::CidrMasked, &[Shape::Cidr], Shape::Cidr)],
    ),
    function(
        "prefixLength",
        "how many bits the prefix has",
        "cidr(\"10.0.0.0/8\").prefixLength() == 8",
        &[member(
            Overload::CidrPrefixLength,
            &[Shape::Cidr],
            Shape::Int,
        )],
    ),
];
