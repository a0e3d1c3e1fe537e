//! IP addresses and ranges of them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{Error, Type};

/// An IP address.
///
/// An IPv4 address that is written as IPv6 in hexadecimal (`::ffff:c0a8:1`) is the IPv4 address. Written with dots
/// (`::ffff:192.168.0.1`) it is refused, and so are zones (`fe80::1%eth0`).
///
/// ```
/// use watershed::cel::Ip;
///
/// let ip = Ip::parse("192.168.0.1").unwrap();
/// assert_eq!(ip.family(), 4);
/// assert!(ip.is_global_unicast());
/// assert_eq!(Ip::parse("::ffff:c0a8:1"), Ok(ip));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ip(IpAddr);

const INVALID_IP: Error = Error::InvalidConversion {
    from: Type::String,
    to: Type::Ip,
};

const INVALID_CIDR: Error = Error::InvalidConversion {
    from: Type::String,
    to: Type::Cidr,
};

impl Ip {
    /// CEL `ip(string)`
    pub fn parse(text: &str) -> Result<Self, Error> {
        let address: IpAddr = text.parse().map_err(|_| INVALID_IP)?;
        let canonical = address.to_canonical();
        if canonical != address && text.contains('.') {
            return Err(INVALID_IP);
        }
        Ok(Self(canonical))
    }

    /// CEL `isIP(string)`
    pub fn is_valid(text: &str) -> bool {
        Self::parse(text).is_ok()
    }

    /// CEL `ip.isCanonical(string)`: whether the text is how the address is written. An error when it is none.
    pub fn is_canonical(text: &str) -> Result<bool, Error> {
        Ok(Self::parse(text)?.to_string() == text)
    }

    /// CEL `family()`: 4 or 6.
    pub const fn family(self) -> i64 {
        match self.0 {
            IpAddr::V4(_) => 4,
            IpAddr::V6(_) => 6,
        }
    }

    /// CEL `isUnspecified()`: `0.0.0.0` or `::`.
    pub const fn is_unspecified(self) -> bool {
        self.0.is_unspecified()
    }

    /// CEL `isLoopback()`: in `127.0.0.0/8`, or `::1`.
    pub const fn is_loopback(self) -> bool {
        self.0.is_loopback()
    }

    /// CEL `isLinkLocalMulticast()`: in `224.0.0.0/24`, or in `ff02::/16` of any flags.
    pub const fn is_link_local_multicast(self) -> bool {
        match self.0 {
            IpAddr::V4(address) => matches!(address.octets(), [224, 0, 0, _]),
            IpAddr::V6(address) => {
                matches!(address.octets(), [0xff, scope, ..] if scope & 0x0f == 0x02)
            }
        }
    }

    /// CEL `isLinkLocalUnicast()`: in `169.254.0.0/16` or `fe80::/10`.
    pub const fn is_link_local_unicast(self) -> bool {
        match self.0 {
            IpAddr::V4(address) => address.is_link_local(),
            IpAddr::V6(address) => address.is_unicast_link_local(),
        }
    }

    /// CEL `isGlobalUnicast()`: one host beyond its link; private addresses are.
    pub const fn is_global_unicast(self) -> bool {
        let broadcast = matches!(self.0, IpAddr::V4(Ipv4Addr::BROADCAST));
        !(broadcast
            || self.is_unspecified()
            || self.is_loopback()
            || self.0.is_multicast()
            || self.is_link_local_unicast())
    }

    /// The address as a number at the top of 128 bits, so that prefixes of both families compare alike.
    fn bits(self) -> u128 {
        match self.0 {
            IpAddr::V4(address) => u128::from(address.to_bits()) << 96,
            IpAddr::V6(address) => address.to_bits(),
        }
    }
}

impl fmt::Display for Ip {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A range of IP addresses: an address and the length of the prefix that all in the range share.
///
/// ```
/// use watershed::cel::{Cidr, Ip};
///
/// let cidr = Cidr::parse("192.168.0.1/24").unwrap();
/// assert!(cidr.contains_ip(Ip::parse("192.168.0.77").unwrap()));
/// assert_eq!(cidr.masked().to_string(), "192.168.0.0/24");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cidr {
    address: Ip,
    prefix_length: u8,
}

impl Cidr {
    /// CEL `cidr(string)`. IPv4 addresses written as IPv6 are refused.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (address, length) = text.split_once('/').ok_or(INVALID_CIDR)?;
        let address: IpAddr = address.parse().map_err(|_| INVALID_CIDR)?;
        let plain = length == "0"
            || (!length.starts_with('0') && length.bytes().all(|byte| byte.is_ascii_digit()));
        let prefix_length: u8 = length.parse().map_err(|_| INVALID_CIDR)?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        if !plain || prefix_length > longest || address.to_canonical() != address {
            return Err(INVALID_CIDR);
        }
        Ok(Self {
            address: Ip(address),
            prefix_length,
        })
    }

    /// CEL `isCIDR(string)`
    pub fn is_valid(text: &str) -> bool {
        Self::parse(text).is_ok()
    }

    /// CEL `containsIP(ip)`: never an address of the other family.
    pub fn contains_ip(self, ip: Ip) -> bool {
        ip.family() == self.address.family() && (ip.bits() ^ self.address.bits()) & self.mask() == 0
    }

    /// CEL `containsCIDR(cidr)`: whether all of `other` lies in this range.
    pub fn contains_cidr(self, other: Self) -> bool {
        self.prefix_length <= other.prefix_length && self.contains_ip(other.address)
    }

    /// CEL `ip()`: the address as it was written.
    pub const fn ip(self) -> Ip {
        self.address
    }

    /// CEL `masked()`: with zeros behind the prefix.
    #[must_use]
    pub fn masked(self) -> Self {
        let bits = self.address.bits() & self.mask();
        let address = match self.address.0 {
            IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::from_bits((bits >> 96) as u32)),
            IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::from_bits(bits)),
        };
        Self {
            address: Ip(address),
            ..self
        }
    }

    /// CEL `prefixLength()`
    pub fn prefix_length(self) -> i64 {
        i64::from(self.prefix_length)
    }

    fn mask(self) -> u128 {
        u128::MAX
            .checked_shl(128 - u32::from(self.prefix_length))
            .unwrap_or(0)
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.address, self.prefix_length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> Ip {
        Ip::parse(text).unwrap()
    }

    fn cidr(text: &str) -> Cidr {
        Cidr::parse(text).unwrap()
    }

    #[test]
    fn addresses_are_read_strictly() {
        for text in [
            "192.168.0.1.0",
            "2001:db8:::68",
            "fe80::1%en0",
            "",
            "1.2.3",
            "01.2.3.4",
        ] {
            assert_eq!(Ip::parse(text), Err(INVALID_IP), "{text}");
        }
        assert_eq!(Ip::parse("::ffff:192.168.0.1"), Err(INVALID_IP));
        assert_eq!(ip("::ffff:c0a8:1"), ip("192.168.0.1"));
        assert_ne!(ip("::"), ip("::ffff"));
        assert_eq!(ip("2001:DB8::1"), ip("2001:db8::1"));
        assert_eq!(Ip::is_canonical("2001:DB8::68"), Ok(false));
        assert_eq!(Ip::is_canonical("127.0.0.1"), Ok(true));
        assert!(Ip::is_canonical("x").is_err() && !Ip::is_valid("x"));
    }

    #[test]
    fn addresses_have_classes() {
        assert_eq!((ip("1.2.3.4").family(), ip("::1").family()), (4, 6));
        assert!(ip("0.0.0.0").is_unspecified() && ip("::").is_unspecified());
        assert!(ip("127.9.9.9").is_loopback() && ip("::1").is_loopback());
        assert!(ip("224.0.0.1").is_link_local_multicast());
        assert!(!ip("224.0.1.1").is_link_local_multicast());
        assert!(ip("ff02::1").is_link_local_multicast());
        assert!(!ip("fd00::1").is_link_local_multicast());
        assert!(ip("169.254.169.254").is_link_local_unicast());
        assert!(ip("fe80::1").is_link_local_unicast());
        assert!(!ip("fd80::1").is_link_local_unicast());
        assert!(ip("192.168.0.1").is_global_unicast());
        assert!(ip("2001:db8::abcd").is_global_unicast());
        for none in [
            "255.255.255.255",
            "224.0.1.1",
            "ff00::1",
            "127.0.0.1",
            "fe80::1",
            "::",
        ] {
            assert!(!ip(none).is_global_unicast(), "{none}");
        }
    }

    #[test]
    fn ranges_are_read_strictly() {
        for text in [
            "192.168.0.0/",
            "192.168.0.0",
            "::ffff:192.168.0.1/24",
            "1.2.3.4/33",
            "::/129",
            "1.2.3.4/+8",
            "1.2.3.4/08",
        ] {
            assert_eq!(Cidr::parse(text), Err(INVALID_CIDR), "{text}");
        }
        assert_eq!(cidr("2001:db8::/32").to_string(), "2001:db8::/32");
        assert_eq!(cidr("10.0.0.1/8").ip(), ip("10.0.0.1"));
        assert_eq!(cidr("10.0.0.1/8").prefix_length(), 8);
        assert_ne!(cidr("10.0.0.1/8"), cidr("10.0.0.0/8"));
    }

    #[test]
    fn ranges_contain_addresses_and_ranges() {
        let range = cidr("192.168.0.1/24");
        assert!(range.contains_ip(ip("192.168.0.255")));
        assert!(!range.contains_ip(ip("192.168.1.1")));
        assert!(!cidr("::/0").contains_ip(ip("192.168.1.1")));
        assert!(cidr("0.0.0.0/0").contains_ip(ip("192.168.1.1")));
        assert!(range.contains_cidr(cidr("192.168.0.128/25")));
        assert!(range.contains_cidr(range));
        assert!(!range.contains_cidr(cidr("192.168.0.0/23")));
        assert_eq!(range.masked(), cidr("192.168.0.0/24"));
        assert_eq!(cidr("2001:db8::1/32").masked(), cidr("2001:db8::/32"));
        assert_eq!(cidr("1.2.3.4/32").masked(), cidr("1.2.3.4/32"));
    }
}
