//! Files of revision 6 with passwords and `/Perms` as writers get them wrong (ISO 32000-2, 7.6.4).

use aes::cipher::{Block, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes256};
use samples::pdf::{INFO, Pdf};
use sha2::{Digest, Sha256, Sha384, Sha512};

const KEY: [u8; 32] = [7; 32];
const PERMISSIONS: i32 = -44;

/// What `/Perms` says.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Perms {
    #[default]
    Right,
    Missing,
    Zero,
    Short,
    /// Other permissions than `/P`.
    OfOthers,
    /// That metadata are not encrypted, while the dictionary says that they are.
    OfPlainMetadata,
}

/// A file of one page whose title is `Secret`.
#[derive(Default)]
pub(crate) struct Locked<'p> {
    /// Taken as bytes, not normalized.
    pub(crate) user: &'p str,
    pub(crate) owner: &'p str,
    pub(crate) perms: Perms,
    /// Whether more than 127 bytes of a password count.
    pub(crate) is_uncut: bool,
}

impl Locked<'_> {
    pub(crate) fn file(&self) -> Vec<u8> {
        let longest = if self.is_uncut { usize::MAX } else { 127 };
        let cut = |password: &str| password.bytes().take(longest).collect::<Vec<u8>>();
        let (user, owner) = (cut(self.user), cut(if self.owner.is_empty() { "owner" } else { self.owner }));
        let (user_value, user_key) = entry(&user, b"");
        let (owner_value, owner_key) = entry(&owner, &user_value);
        let block = |permissions: i32, metadata: u8| {
            let mut block = [&permissions.to_le_bytes(), [0xff; 4].as_slice(), &[metadata], b"adbrand"].concat();
            let cipher = Aes256::new(&KEY.into());
            cipher.encrypt_block(block.first_chunk_mut::<16>().expect("a block").into());
            digits(&block)
        };
        let perms = match self.perms {
            Perms::Right => format!("/Perms <{}>", block(PERMISSIONS, b'T')),
            Perms::Missing => String::new(),
            Perms::Zero => format!("/Perms <{}>", "0".repeat(32)),
            Perms::Short => "/Perms <0102>".to_owned(),
            Perms::OfOthers => format!("/Perms <{}>", block(-4, b'T')),
            Perms::OfPlainMetadata => format!("/Perms <{}>", block(PERMISSIONS, b'F')),
        };
        let mut title = b"Secret\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a".to_vec();
        cbc(&Aes256::new(&KEY.into()), [9; 16], &mut title);
        let title = digits(&[[9; 16].as_slice(), &title].concat());
        let encrypt = format!(
            "<< /Filter /Standard /V 5 /R 6 /Length 256 /P {PERMISSIONS} /U <{}> /UE <{}> /O <{}> /OE <{}> {perms} \
             /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> /StmF /StdCF /StrF /StdCF >>",
            digits(&user_value),
            digits(&user_key),
            digits(&owner_value),
            digits(&owner_key),
        );
        let pdf = Pdf::new(1).with(INFO, format!("<< /Title <{title}> >>")).with(40, encrypt);
        pdf.trailer("/Encrypt 40 0 R /ID [<00> <00>]").classic()
    }
}

/// `/U` and `/UE`, or `/O` and `/OE` (algorithms 8 and 9).
fn entry(password: &[u8], user_value: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (validation, key) = (*b"validate", *b"key-salt");
    let hashed = hash(password, validation, user_value);
    let value = [hashed.as_slice(), &validation, &key].concat();
    let mut encrypted = KEY;
    let cipher = Aes256::new_from_slice(&hash(password, key, user_value)).expect("a key");
    cbc(&cipher, [0; 16], &mut encrypted);
    (value, encrypted.to_vec())
}

/// Algorithm 2.B.
fn hash(password: &[u8], salt: [u8; 8], user_value: &[u8]) -> Vec<u8> {
    let mut key = Sha256::digest([password, &salt, user_value].concat()).to_vec();
    let mut round = 0_usize;
    loop {
        let mut data = [password, &key, user_value].concat().repeat(64);
        let cipher = Aes128::new_from_slice(&key[..16]).expect("a key");
        cbc(&cipher, key[16..32].try_into().expect("a block"), &mut data);
        let number = data[..16].iter().fold(0_u32, |rest, byte| (rest * 256 + u32::from(*byte)) % 3);
        key = match number {
            0 => Sha256::digest(&data).to_vec(),
            1 => Sha384::digest(&data).to_vec(),
            _ => Sha512::digest(&data).to_vec(),
        };
        round += 1;
        if round >= 64 && usize::from(*data.last().expect("data")) <= round - 32 {
            key.truncate(32);
            return key;
        }
    }
}

fn cbc<C: BlockCipherEncrypt + aes::cipher::BlockSizeUser<BlockSize = aes::cipher::consts::U16>>(
    cipher: &C,
    mut chain: [u8; 16],
    data: &mut [u8],
) {
    for bytes in data.as_chunks_mut::<16>().0 {
        bytes.iter_mut().zip(chain).for_each(|(byte, before)| *byte ^= before);
        let block: &mut Block<C> = bytes.into();
        cipher.encrypt_block(block);
        chain = *bytes;
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
