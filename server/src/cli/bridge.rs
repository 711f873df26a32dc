//! The machine's address for Docker's containers.

use std::net::{IpAddr, UdpSocket};

use crate::Containers;

/// Docker's default address of the machine on the default bridge.
pub(super) const DOCKER_BRIDGE: &str = "172.17.0.1";

/// Reads the value of `--for-containers`: the machine's address on the containers' bridge.
pub(super) fn bridge(text: &str) -> Result<IpAddr, &'static str> {
    match text.parse::<IpAddr>() {
        Ok(address) if address.is_unspecified() || address.is_multicast() => {
            Err("give the one address that the machine has on the containers' bridge")
        }
        Ok(address) => Ok(address),
        Err(_) => Err("an address such as 172.17.0.1 is wanted, or nothing for that of Docker's bridge"),
    }
}

/// The options of the stores. If the machine lacks Docker's address, Docker Desktop is assumed, whose containers reach
/// the loopback addresses.
pub(super) fn containers(bridge: IpAddr) -> Containers {
    let is_missing = bridge.to_string() == DOCKER_BRIDGE && UdpSocket::bind((bridge, 0)).is_err();
    Containers { bridge: Some(bridge).filter(|_| !is_missing) }
}

#[cfg(test)]
mod tests {
    use super::bridge;

    #[test]
    fn one_address_is_given() {
        assert_eq!(bridge("172.17.0.1"), Ok([172, 17, 0, 1].into()));
        for other in ["", "0.0.0.0", "::", "224.0.0.1", "docker0", "172.17.0.1:8000"] {
            assert!(bridge(other).is_err(), "{other}");
        }
    }
}
