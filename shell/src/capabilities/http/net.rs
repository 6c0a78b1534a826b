//! Which addresses apps may reach: public ones alone. The name is looked up once, what it stands for is judged, and the connection goes to
//! what was judged: a name that stands for another address a moment later leads nowhere new.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// How names become addresses, and which of these may be reached.
pub trait Net: Send + Sync {
    /// What a name stands for. It may block.
    fn look_up(&self, host: &str) -> io::Result<Vec<IpAddr>>;

    fn may_reach(&self, address: IpAddr) -> bool;
}

/// The system's names, and public addresses.
pub struct Public;

impl Net for Public {
    fn look_up(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = (host, 0).to_socket_addrs()?;
        Ok(found.map(|address| address.ip()).collect())
    }

    fn may_reach(&self, address: IpAddr) -> bool {
        is_public(address)
    }
}

/// Everything a name stands for is out of reach.
#[derive(Debug)]
pub struct OutOfReach;

impl fmt::Display for OutOfReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no public address")
    }
}

impl std::error::Error for OutOfReach {}

/// The client's only way to an address by a name.
pub struct Resolver(pub Arc<dyn Net>);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let net = self.0.clone();
        Box::pin(async move {
            let judged = tokio::task::spawn_blocking(move || {
                let mut found = net.look_up(name.as_str())?;
                found.retain(|address| net.may_reach(*address));
                io::Result::Ok(found)
            });
            let reached = judged.await??;
            if reached.is_empty() {
                return Err(OutOfReach.into());
            }
            // The port is the URL's.
            let all = reached.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(all) as Addrs)
        })
    }
}

/// Is this an address of the internet, and no other network's? Of an IPv6 address only what the internet's registries give out, without
/// what leads on to an IPv4 address (mapped, NAT64, 6to4, Teredo).
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    // Address and length of each network that is not the internet's, or not a single machine's.
    const OTHERS: [([u8; 4], u32); 15] = [
        ([0, 0, 0, 0], 8),
        ([10, 0, 0, 0], 8),
        ([100, 64, 0, 0], 10),
        ([127, 0, 0, 0], 8),
        ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12),
        ([192, 0, 0, 0], 24),
        ([192, 0, 2, 0], 24),
        ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16),
        ([198, 18, 0, 0], 15),
        ([198, 51, 100, 0], 24),
        ([203, 0, 113, 0], 24),
        ([224, 0, 0, 0], 4),
        ([240, 0, 0, 0], 4),
    ];
    let bits = u32::from(address);
    let within = |(network, length): &([u8; 4], u32)| {
        (bits ^ u32::from_be_bytes(*network)).leading_zeros() >= *length
    };
    !OTHERS.iter().any(within)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    const OTHERS: [([u16; 2], u32); 4] = [
        // Teredo, benchmarks, ORCHID and other protocols.
        ([0x2001, 0], 23),
        ([0x2001, 0xdb8], 32),
        // 6to4.
        ([0x2002, 0], 16),
        ([0x3fff, 0], 20),
    ];
    let bits = u128::from(address) >> 96;
    let network = |parts: &[u16; 2]| u128::from(parts[0]) << 16 | u128::from(parts[1]);
    let within = |(parts, length): &([u16; 2], u32)| {
        ((bits ^ network(parts)) as u32).leading_zeros() >= *length
    };
    // 2000::/3 is what is given out.
    bits >> 29 == 1 && !OTHERS.iter().any(within)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        let others = "0.0.0.0 0.1.2.3 0.255.255.255 10.0.0.1 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.254 169.254.0.1
            169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255
            198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
            :: ::1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1
            2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1::
            2002:808:808::1 3fff::1 3fff:fff::1 5f00::1 4000::1 fc00::1 fd12:3456::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1";
        for text in others.split_whitespace() {
            let address = text.parse().unwrap();
            assert!(!is_public(address), "{address}");
        }
        let public = "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
            169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
            223.255.255.255 2001:200::1 2001:4860:4860::8888 2606:4700::1111 2000::1 2003::1 2a00:1450::1 3ffe:ffff::1";
        for text in public.split_whitespace() {
            let address = text.parse().unwrap();
            assert!(is_public(address), "{address}");
        }
    }

    #[test]
    fn the_machine_itself_is_looked_up_and_out_of_reach() {
        let found = Public.look_up("localhost").unwrap();
        assert!(!found.is_empty());
        assert!(!found.iter().any(|address| Public.may_reach(*address)));
    }
}
