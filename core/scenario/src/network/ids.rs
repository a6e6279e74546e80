//! Typed indices of switches, hosts, links and channels; one type is never taken for another.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// From an index into the network's list.
            #[inline]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("networks are far smaller than 2^32"))
            }

            /// Index into the network's list.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(/// A switch.
    SwitchId);
id!(/// A host and its NIC.
    HostId);
id!(/// A cable between two switches, both directions.
    LinkId);
id!(/// A directed channel.
    ChannelId);
