//! Integers of any size, with the functions that a merge of counters needs.

use std::cmp::Ordering;

/// Sign and decimal digits, the lowest first, without zeros at the high end; zero has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Integer {
    negative: bool,
    digits: Vec<u8>,
}

impl Integer {
    /// From decimal text; none for another text.
    pub fn parse(text: &[u8]) -> Option<Integer> {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let lowest_first = digits.iter().rev().map(|digit| digit - b'0').collect();
        Some(Integer::of(text[0] == b'-', lowest_first))
    }

    fn of(negative: bool, mut digits: Vec<u8>) -> Integer {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Integer {
            negative: negative && !digits.is_empty(),
            digits,
        }
    }

    pub fn to_text(&self) -> String {
        if self.digits.is_empty() {
            return "0".to_string();
        }
        let sign = if self.negative { "-" } else { "" };
        let digits = self
            .digits
            .iter()
            .rev()
            .map(|digit| char::from(digit + b'0'));
        sign.chars().chain(digits).collect()
    }

    pub fn plus(&self, other: &Integer) -> Integer {
        if self.negative == other.negative {
            return Integer::of(self.negative, sum(&self.digits, &other.digits));
        }
        match compare(&self.digits, &other.digits) {
            Ordering::Less => Integer::of(other.negative, difference(&other.digits, &self.digits)),
            _ => Integer::of(self.negative, difference(&self.digits, &other.digits)),
        }
    }

    pub fn minus(&self, other: &Integer) -> Integer {
        self.plus(&Integer::of(!other.negative, other.digits.clone()))
    }
}

fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let by_digits = || a.iter().rev().cmp(b.iter().rev());
    a.len().cmp(&b.len()).then_with(by_digits)
}

fn sum(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut digits = Vec::new();
    for place in 0..=a.len().max(b.len()) {
        let total = digit(a, place) + digit(b, place) + carry;
        digits.push(total % 10);
        carry = total / 10;
    }
    digits
}

/// a - b; a must not be smaller.
fn difference(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut borrowed = 0;
    let mut digits = Vec::new();
    for place in 0..a.len() {
        let total = 10 + digit(a, place) - digit(b, place) - borrowed;
        digits.push(total % 10);
        borrowed = 1 - total / 10;
    }
    digits
}

fn digit(digits: &[u8], place: usize) -> u8 {
    digits.get(place).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_integers_add_up_as_those_of_the_machine() {
        for a in -120..=120 {
            for b in [
                -1000, -101, -100, -99, -10, -9, -1, 0, 1, 9, 10, 99, 100, 999,
            ] {
                let of = |int: i32| Integer::parse(int.to_string().as_bytes()).unwrap();
                assert_eq!(of(a).plus(&of(b)).to_text(), (a + b).to_string());
                assert_eq!(of(a).minus(&of(b)).to_text(), (a - b).to_string());
            }
        }
    }

    #[test]
    fn there_is_no_largest_integer() {
        let nines = Integer::parse(&[b'9'; 60]).unwrap();
        let one = Integer::parse(b"1").unwrap();
        assert_eq!(nines.plus(&one).to_text(), format!("1{}", "0".repeat(60)));
        assert_eq!(nines.plus(&one).minus(&one), nines);
    }

    #[test]
    fn other_texts_are_none() {
        for text in ["", "-", "+1", "1.0", "x"] {
            assert_eq!(Integer::parse(text.as_bytes()), None, "{text}");
        }
    }
}
