//! Sets of nodes of a tile: one word of 32 bits per row, and the same with a border of one node around it.

/// Nodes along a side of a tile.
pub(crate) const SIDE: usize = 32;

/// Nodes of a tile.
pub(crate) const NODES: usize = SIDE * SIDE;

/// Nodes of a tile.
pub(crate) type Rows = [u32; SIDE];

/// Nodes of a tile and those around it: bit 0 and row 0 are those before the first.
pub(crate) type Framed = [u64; SIDE + 2];

/// The nodes of a set, in order.
pub(crate) fn nodes(rows: &Rows) -> impl Iterator<Item = usize> + '_ {
    rows.iter().enumerate().flat_map(|(j, row)| {
        let mut left = *row;
        std::iter::from_fn(move || {
            let i = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                j * SIDE + i
            })
        })
    })
}

/// Whether a set has a node.
pub(crate) fn any(rows: &Rows) -> bool {
    rows.iter().any(|row| *row != 0)
}

/// Number of nodes.
pub(crate) fn count(rows: &Rows) -> usize {
    rows.iter().map(|row| row.count_ones() as usize).sum()
}

/// Adds a node.
pub(crate) fn insert(rows: &mut Rows, at: usize) {
    rows[at / SIDE] |= 1 << (at % SIDE);
}

/// Whether it has a node.
pub(crate) fn has(rows: &Rows, at: usize) -> bool {
    rows[at / SIDE] >> (at % SIDE) & 1 == 1
}

/// The sets of nine tiles, the own in the middle, as one with a border; absent ones are empty.
pub(crate) fn framed<'a>(tile: impl Fn(usize) -> Option<&'a Rows>) -> Framed {
    let mut framed = [0; SIDE + 2];
    for (k, row) in framed.iter_mut().enumerate() {
        let (band, j) = match k {
            0 => (0, SIDE - 1),
            k if k <= SIDE => (1, k - 1),
            _ => (2, 0),
        };
        let word = |side: usize| tile(3 * band + side).map_or(0, |rows| u64::from(rows[j]));
        *row = word(0) >> (SIDE - 1) | word(1) << 1 | (word(2) & 1) << (SIDE + 1);
    }
    framed
}

/// The nodes of a tile that are in a framed set or have a neighbour in it.
pub(crate) fn dilated(set: &Framed) -> Rows {
    let wide = |row: u64| row | row << 1 | row >> 1;
    std::array::from_fn(|j| ((wide(set[j]) | wide(set[j + 1]) | wide(set[j + 2])) >> 1) as u32)
}

/// Which of the nine tiles around hold a neighbour of a node of the set.
pub(crate) fn touched(rows: &Rows) -> [bool; 9] {
    let all = rows.iter().fold(0, |all, row| all | row);
    let sides = |word: u32| [word & 1 != 0, word != 0, word >> (SIDE - 1) != 0];
    let (first, last) = (sides(rows[0]), sides(rows[SIDE - 1]));
    let middle = sides(all);
    [first[0], first[1], first[2], middle[0], middle[1], middle[2], last[0], last[1], last[2]]
}
