//! Families whose members are one file each.

use serde::de::DeserializeOwned;

/// The member of a family whose `kind` is this id, with its default parameters.
pub(crate) fn with_id<T: DeserializeOwned>(id: &str) -> Option<T> {
    serde_json::from_value(serde_json::json!({ "kind": id })).ok()
}

/// Defines a family from a list of its members: the enum of the scenario file, whose `kind` is the
/// member's name in kebab case; `all()`, the descriptors in the order of the list; and access to a
/// member's descriptor. The enum dereferences to its behaviour, so that what the trait has can be
/// asked of it.
///
/// A member is a module with a `DESCRIPTOR` and a struct of its parameters, which implements the
/// behaviour. A new one needs its file, its `mod` line and its line in the list. What bounds cannot
/// say of its parameters, it checks in `check_relations`; the enum's own `check`, or `generate`,
/// checks the bounds of the descriptor as well.
macro_rules! family {
    (
        $(#[$about:meta])*
        pub enum $family:ident: $behaviour:path {
            $( $(#[$about_member:meta])* $module:ident::$member:ident, )+
        }
    ) => {
        $( pub use $module::$member; )+

        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum $family {
            $( $(#[$about_member])* $member($member), )+
        }

        /// The descriptors of all members, in the order in which pickers show them.
        pub fn all() -> &'static [crate::catalogue::Descriptor] {
            const ALL: &[crate::catalogue::Descriptor] = &[$( $module::DESCRIPTOR, )+];
            ALL
        }

        impl $family {
            /// The member with this id and its default parameters; `None` if there is none, or if
            /// it has a parameter without default.
            pub fn with_id(id: &str) -> Option<Self> {
                crate::family::with_id(id)
            }

            /// The descriptor of the member.
            pub fn descriptor(&self) -> &'static crate::catalogue::Descriptor {
                match self {
                    $( Self::$member(_) => &$module::DESCRIPTOR, )+
                }
            }

            fn member(&self) -> &(dyn $behaviour + 'static) {
                match self {
                    $( Self::$member(member) => member, )+
                }
            }
        }

        /// What the member does.
        impl std::ops::Deref for $family {
            type Target = dyn $behaviour;

            fn deref(&self) -> &Self::Target {
                self.member()
            }
        }
    };
}

/// Defines a family whose members are words of the scenario file: the enum; `all()`, the
/// descriptors in the order of the list; and access to what a member is.
///
/// A member is a module with a constant `MEMBER`, a struct that has a `descriptor` and what else
/// the family wants to know. A new one needs its file, its `mod` line and its line in the list.
macro_rules! words {
    (
        $(#[$about:meta])*
        pub enum $family:ident: $facts:path {
            $( $(#[$about_member:meta])* $module:ident::$member:ident, )+
        }
    ) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $(#[$about])*
        pub enum $family {
            $( $(#[$about_member])* $member, )+
        }

        /// The descriptors of all members, in the order in which pickers show them.
        pub fn all() -> &'static [crate::catalogue::Descriptor] {
            const ALL: &[crate::catalogue::Descriptor] = &[$( $module::MEMBER.descriptor, )+];
            ALL
        }

        impl $family {
            /// All members, in the order of their descriptors.
            pub const ALL: &'static [Self] = &[$( Self::$member, )+];

            /// The descriptor of the member.
            pub fn descriptor(self) -> &'static crate::catalogue::Descriptor {
                &self.member().descriptor
            }

            fn member(self) -> &'static $facts {
                match self {
                    $( Self::$member => const { &$module::MEMBER }, )+
                }
            }
        }
    };
}

pub(crate) use family;
pub(crate) use words;
