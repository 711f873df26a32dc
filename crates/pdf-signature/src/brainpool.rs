//! ECDSA (BSI TR-03111, 4.2.1) on the curves of RFC 5639, which few libraries support. Implemented here with Jacobian
//! coordinates: all values are public, so constant time is not required.

use crypto_bigint::modular::{FixedMontyForm, FixedMontyParams};
use crypto_bigint::{NonZero, Odd, U512};

/// A curve `y² = x³ + ax + b` over a prime field, in hexadecimal digits (RFC 5639, 3).
struct Parameters {
    /// The length of its numbers in bytes.
    length: usize,
    prime: &'static str,
    a: &'static str,
    b: &'static str,
    /// The base point and its order.
    x: &'static str,
    y: &'static str,
    order: &'static str,
}

/// A Brainpool curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brainpool {
    P256,
    P384,
    P512,
}

const P256: Parameters = Parameters {
    length: 32,
    prime: "a9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377",
    a: "7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9",
    b: "26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6",
    x: "8bd2aeb9cb7e57cb2c4b482ffc81b7afb9de27e1e3bd23c23a4453bd9ace3262",
    y: "547ef835c3dac4fd97f8461a14611dc9c27745132ded8e545c1d54c72f046997",
    order: "a9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7",
};

const P384: Parameters = Parameters {
    length: 48,
    prime: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b412b1da197fb71123acd3a729901d1a71874700133107ec53",
    a: "7bc382c63d8c150c3c72080ace05afa0c2bea28e4fb22787139165efba91f90f8aa5814a503ad4eb04a8c7dd22ce2826",
    b: "04a8c7dd22ce28268b39b55416f0447c2fb77de107dcd2a62e880ea53eeb62d57cb4390295dbc9943ab78696fa504c11",
    x: "1d1c64f068cf45ffa2a63a81b7c13f6b8847a3e77ef14fe3db7fcafe0cbd10e8e826e03436d646aaef87b2e247d4af1e",
    y: "8abe1d7520f9c2a45cb1eb8e95cfd55262b70b29feec5864e19c054ff99129280e4646217791811142820341263c5315",
    order: "8cb91e82a3386d280f5d6f7e50e641df152f7109ed5456b31f166e6cac0425a7cf3ab6af6b7fc3103b883202e9046565",
};

const P512: Parameters = Parameters {
    length: 64,
    prime: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca703308717d4d9b009bc66842aecda12ae6a380e62881ff2f2d82c68528aa6056583a48f3",
    a: "7830a3318b603b89e2327145ac234cc594cbdd8d3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94ca",
    b: "3df91610a83441caea9863bc2ded5d5aa8253aa10a2ef1c98b9ac8b57f1117a72bf2c7b9e7c1ac4d77fc94cadc083e67984050b75ebae5dd2809bd638016f723",
    x: "81aee4bdd82ed9645a21322e9c4c6a9385ed9f70b5d916c1b43b62eef4d0098eff3b1f78e2d0d48d50d1687b93b97d5f7c6d5047406a5e688b352209bcb9f822",
    y: "7dde385d566332ecc0eabfa9cf7822fdf209f70024a57b1aa000c55b881f8111b2dcde494a5f485e5bca4bd88a2763aed1ca2b2fa8f0540678cd1e0f3ad80892",
    order: "aadd9db8dbe9c48b3fd4e6ae33c9fc07cb308db3b3c9d20ed6639cca70330870553e5c414ca92619418661197fac10471db1d381085ddaddb58796829ca90069",
};

/// A number modulo the prime or the order.
type Number = FixedMontyForm<8>;

/// A point in Jacobian coordinates; at infinity where the last is zero.
#[derive(Clone, Copy)]
struct Point {
    x: Number,
    y: Number,
    z: Number,
}

/// Verifies the numbers of a digest's signature with the key at this point (SEC 1, 2.3.3); `None` if the point is not
/// on the curve.
pub(crate) fn verify(curve: Brainpool, point: &[u8], digest: &[u8], r: &[u8], s: &[u8]) -> Option<bool> {
    let parameters = match curve {
        Brainpool::P256 => &P256,
        Brainpool::P384 => &P384,
        Brainpool::P512 => &P512,
    };
    let field = Field::new(parameters)?;
    let key = field.point(point, parameters.length)?;
    Some(field.verifies(parameters, &key, digest, r, s).unwrap_or(false))
}

/// The field of a curve, with the constants of the formulas.
struct Field {
    prime: FixedMontyParams<8>,
    a: Number,
    b: Number,
}

impl Field {
    fn new(parameters: &Parameters) -> Option<Self> {
        let prime = FixedMontyParams::new_vartime(Odd::new(hexadecimal(parameters.prime)).into_option()?);
        let number = |digits| Number::new(&hexadecimal(digits), &prime);
        Some(Self { a: number(parameters.a), b: number(parameters.b), prime })
    }

    /// Decodes a point, if it is on the curve.
    fn point(&self, encoded: &[u8], length: usize) -> Option<Point> {
        let (form, coordinates) = encoded.split_first()?;
        let coordinate = |bytes: &[u8]| {
            let number = number(bytes, length)?;
            (number < *self.prime.modulus().as_ref()).then(|| Number::new(&number, &self.prime))
        };
        let is_uncompressed = *form == 4 && coordinates.len() == 2 * length;
        let (x, y) = coordinates.split_at_checked(length).filter(|_| is_uncompressed)?;
        let (x, y) = (coordinate(x)?, coordinate(y)?);
        let is_on_curve = y.square() == x.square() * x + self.a * x + self.b;
        is_on_curve.then(|| Point { x, y, z: Number::one(&self.prime) })
    }

    fn verifies(&self, of: &Parameters, key: &Point, digest: &[u8], r: &[u8], s: &[u8]) -> Option<bool> {
        let order = hexadecimal(of.order);
        let modulo = FixedMontyParams::new_vartime(Odd::new(order).into_option()?);
        let scalar = |bytes| number(bytes, of.length).filter(|number| *number < order && *number != U512::ZERO);
        let (r, s) = (scalar(r)?, scalar(s)?);
        // the leftmost bits of a longer digest
        let digest = number(digest.get(..of.length).unwrap_or(digest), of.length)?;
        let digest = digest.rem_vartime(&NonZero::new(order).into_option()?);
        let inverse = Number::new(&s, &modulo).invert_vartime().into_option()?;
        let by_base = (Number::new(&digest, &modulo) * inverse).retrieve();
        let by_key = (Number::new(&r, &modulo) * inverse).retrieve();
        let coordinate = |digits| Number::new(&hexadecimal(digits), &self.prime);
        let base = Point { x: coordinate(of.x), y: coordinate(of.y), z: Number::one(&self.prime) };
        let both = self.add(&base, key);
        let mut sum = self.infinity();
        for bit in (0..of.length as u32 * 8).rev() {
            sum = self.double(&sum);
            sum = match (by_base.bit_vartime(bit), by_key.bit_vartime(bit)) {
                (true, true) => self.add(&sum, &both),
                (true, false) => self.add(&sum, &base),
                (false, true) => self.add(&sum, key),
                (false, false) => sum,
            };
        }
        let inverse = sum.z.invert_vartime().into_option()?;
        let x = (sum.x * inverse.square()).retrieve();
        Some(x.rem_vartime(&NonZero::new(order).into_option()?) == r)
    }

    fn infinity(&self) -> Point {
        let one = Number::one(&self.prime);
        Point { x: one, y: one, z: Number::zero(&self.prime) }
    }

    fn is_infinity(&self, point: &Point) -> bool {
        point.z == Number::zero(&self.prime)
    }

    fn double(&self, point: &Point) -> Point {
        let squared = point.y.square();
        let s = (point.x * squared).double().double();
        let z = point.z.square();
        let x = point.x.square();
        let slope = x.double() + x + self.a * z.square();
        let doubled = slope.square() - s.double();
        let y = slope * (s - doubled) - squared.square().double().double().double();
        Point { x: doubled, y, z: (point.y * point.z).double() }
    }

    fn add(&self, one: &Point, other: &Point) -> Point {
        if self.is_infinity(one) {
            return *other;
        }
        if self.is_infinity(other) {
            return *one;
        }
        let (squares, others) = (one.z.square(), other.z.square());
        let (x, other_x) = (one.x * others, other.x * squares);
        let (y, other_y) = (one.y * others * other.z, other.y * squares * one.z);
        let (across, up) = (other_x - x, other_y - y);
        if across == Number::zero(&self.prime) {
            return if up == across { self.double(one) } else { self.infinity() };
        }
        let square = across.square();
        let (cube, between) = (square * across, x * square);
        let sum = up.square() - cube - between.double();
        Point { x: sum, y: up * (between - sum) - y * cube, z: one.z * other.z * across }
    }
}

/// A number of at most `length` bytes, leading zeros excepted.
fn number(bytes: &[u8], length: usize) -> Option<U512> {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let bytes = bytes.get(zeros..).filter(|bytes| bytes.len() <= length)?;
    let mut padded = [0; 64];
    padded.get_mut(64 - bytes.len()..)?.copy_from_slice(bytes);
    Some(U512::from_be_slice(&padded))
}

/// A constant of a curve.
fn hexadecimal(digits: &str) -> U512 {
    U512::from_be_hex(&format!("{digits:0>128}"))
}
