//! Powers modulo odd numbers, for RSA signatures of all those kinds that `ring` verifies but does not make. Neither fast nor
//! safe, which samples need not be.

/// `base` to the power of `exponent`, modulo an odd number; all in big-endian bytes, the result as long as the modulus.
pub(super) fn power(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Vec<u8> {
    let field = Field::new(limbs(modulus));
    let base = field.times(&limbs_of(base, field.modulus.len()), &field.square_of_radix);
    let mut result = field.times(&field.one(), &field.square_of_radix);
    for bit in exponent.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)) {
        result = field.times(&result, &result);
        if bit == 1 {
            result = field.times(&result, &base);
        }
    }
    let result = field.times(&result, &field.one());
    result.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect()
}

/// Numbers modulo an odd one, multiplied as Montgomery does.
struct Field {
    modulus: Vec<u32>,
    /// The modulus times this is minus one, modulo 2^32.
    inverse: u32,
    square_of_radix: Vec<u32>,
}

impl Field {
    fn new(modulus: Vec<u32>) -> Self {
        let mut inverse = 1_u32;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2_u32.wrapping_sub(modulus[0].wrapping_mul(inverse)));
        }
        let mut square_of_radix = vec![0; modulus.len()];
        square_of_radix[0] = 1;
        for _ in 0..modulus.len() * 64 {
            square_of_radix = doubled(&square_of_radix, &modulus);
        }
        Self { modulus, inverse: inverse.wrapping_neg(), square_of_radix }
    }

    fn one(&self) -> Vec<u32> {
        limbs_of(&[1], self.modulus.len())
    }

    /// The product, divided by the radix.
    fn times(&self, one: &[u32], other: &[u32]) -> Vec<u32> {
        let length = self.modulus.len();
        let mut sum = vec![0_u32; length + 2];
        for limb in one {
            add(&mut sum, other, *limb);
            let factor = sum[0].wrapping_mul(self.inverse);
            add(&mut sum, &self.modulus, factor);
            sum.remove(0);
            sum.push(0);
        }
        let is_more = sum[length] > 0 || !is_less(&sum[..length], &self.modulus);
        sum.truncate(length);
        if is_more { difference(&sum, &self.modulus) } else { sum }
    }
}

/// Adds a product to a sum.
fn add(sum: &mut [u32], number: &[u32], factor: u32) {
    let mut carry = 0_u64;
    for (place, limb) in sum.iter_mut().zip(number.iter().copied().chain([0, 0])) {
        let total = u64::from(*place) + u64::from(limb) * u64::from(factor) + carry;
        *place = total as u32;
        carry = total >> 32;
    }
}

fn doubled(number: &[u32], modulus: &[u32]) -> Vec<u32> {
    let carried = number[number.len() - 1] >> 31;
    let low = [0].into_iter().chain(number.iter().copied());
    let twice: Vec<u32> = number.iter().zip(low).map(|(limb, below)| limb << 1 | below >> 31).collect();
    if carried == 1 || !is_less(&twice, modulus) { difference(&twice, modulus) } else { twice }
}

fn is_less(one: &[u32], other: &[u32]) -> bool {
    one.iter().rev().lt(other.iter().rev())
}

fn difference(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut borrow = 0_i64;
    let subtract = |(one, other): (&u32, &u32)| {
        let total = i64::from(*one) - i64::from(*other) + borrow;
        borrow = total >> 32;
        total as u32
    };
    one.iter().zip(other).map(subtract).collect()
}

/// Least significant first.
fn limbs(bytes: &[u8]) -> Vec<u32> {
    bytes.rchunks(4).map(|chunk| chunk.iter().fold(0, |limb, byte| limb << 8 | u32::from(*byte))).collect()
}

fn limbs_of(bytes: &[u8], length: usize) -> Vec<u32> {
    let mut limbs = limbs(bytes);
    limbs.resize(length, 0);
    limbs
}

#[cfg(test)]
mod tests {
    #[test]
    fn powers_are_right() {
        let modulus = 1_000_000_007_u32.to_be_bytes();
        let expected = (0..1_000).fold(1_u64, |power, _| power * 12_345 % 1_000_000_007) as u32;
        let power = super::power(&12_345_u32.to_be_bytes(), &1_000_u32.to_be_bytes(), &modulus);
        assert_eq!(power, expected.to_be_bytes());
    }
}
