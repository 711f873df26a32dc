//! Where Docker's containers find this machine.

use std::net::{IpAddr, UdpSocket};

use crate::Containers;

/// Where the machine is on the bridge of Docker's default network, if Docker is told nothing else.
pub(super) const DOCKER: &str = "172.17.0.1";

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

/// What the stores have to know. Where nothing has Docker's address, Docker Desktop's way is left: its containers reach the
/// loopback addresses.
pub(super) fn containers(bridge: IpAddr) -> Containers {
    let is_missing = bridge.to_string() == DOCKER && UdpSocket::bind((bridge, 0)).is_err();
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
