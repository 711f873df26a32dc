//! Where Docker's containers find this machine.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::str::FromStr;

use crate::Containers;

/// The value of `--for-containers`: the machine's address on the containers' bridge, or none, to look for Docker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bridge {
    Docker,
    At(IpAddr),
}

/// The bridge of Docker's default network.
const DOCKER: &str = "docker0";

impl FromStr for Bridge {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::Docker);
        }
        match text.parse::<IpAddr>() {
            Ok(address) if address.is_unspecified() || address.is_multicast() => {
                Err("give the one address that the machine has on the containers' bridge".to_owned())
            }
            Ok(address) => Ok(Self::At(address)),
            Err(_) => Err("an address such as 172.17.0.1 is wanted, or nothing to look for Docker's bridge".to_owned()),
        }
    }
}

impl Bridge {
    /// What the stores have to know. Without a bridge, Docker Desktop's way is left: its containers reach the loopback
    /// addresses.
    pub(super) fn containers(self) -> Containers {
        let bridge = match self {
            Self::At(address) => Some(address),
            Self::Docker => {
                let routes = std::fs::read_to_string("/proc/net/route").unwrap_or_default();
                network(&routes, DOCKER).and_then(own_address)
            }
        };
        Containers { bridge }
    }
}

/// The network behind an interface, from Linux's table of routes (proc(5), `/proc/net/route`): addresses are numbers in
/// hexadecimal, in the machine's own order of bytes.
fn network(routes: &str, interface: &str) -> Option<Ipv4Addr> {
    routes.lines().find_map(|line| {
        let mut fields = line.split_ascii_whitespace();
        let destination = fields.next().filter(|name| *name == interface).and(fields.next())?;
        u32::from_str_radix(destination, 16).ok().map(|number| Ipv4Addr::from(number.to_ne_bytes()))
    })
}

/// The address that the machine sends from to somebody in this network. (A UDP socket that connects sends nothing.)
fn own_address(network: Ipv4Addr) -> Option<IpAddr> {
    let somebody = Ipv4Addr::from_bits(network.to_bits().checked_add(2)?);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((somebody, 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::{Bridge, network, own_address};

    #[test]
    fn the_network_behind_a_bridge_is_found() {
        let number = |address: [u8; 4]| format!("{:08X}", u32::from_ne_bytes(address));
        let (lan, docker) = (number([192, 168, 1, 0]), number([172, 18, 0, 0]));
        let routes = format!("Iface\tDestination\tGateway\neth0\t{lan}\t0\ndocker0\t{docker}\t0\t0001\n");
        assert_eq!(network(&routes, "docker0"), Some(Ipv4Addr::new(172, 18, 0, 0)));
        assert_eq!(network(&routes, "docker1"), None);
        assert_eq!(own_address(Ipv4Addr::LOCALHOST), Some(Ipv4Addr::LOCALHOST.into()));
    }

    #[test]
    fn one_address_is_given_or_none() {
        assert_eq!("".parse(), Ok(Bridge::Docker));
        assert_eq!("172.17.0.1".parse(), Ok(Bridge::At([172, 17, 0, 1].into())));
        for other in ["0.0.0.0", "::", "224.0.0.1", "docker0", "172.17.0.1:8000"] {
            assert!(other.parse::<Bridge>().is_err(), "{other}");
        }
    }
}
