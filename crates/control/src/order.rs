//! The order of evaluation: every item after those whose present values it reads, else by name.

use crate::expression::Expression;
use crate::item::Item;
use std::collections::BTreeSet;

/// Numbers of the items in the order of evaluation, or the numbers of a cycle.
pub fn order(items: &[Item]) -> Result<Vec<usize>, Vec<usize>> {
    let needs: Vec<BTreeSet<usize>> = items.iter().map(needs).collect();
    let mut order = Vec::new();
    let mut left: BTreeSet<usize> = (0..items.len()).collect();
    while !left.is_empty() {
        let Some(next) = left.iter().copied().find(|item| needs[*item].is_disjoint(&left)) else {
            return Err(cycle(&needs, &left));
        };
        left.remove(&next);
        order.push(next);
    }
    Ok(order)
}

/// The items whose present values an item reads.
fn needs(item: &Item) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    for expression in item.expressions() {
        expression.visit(&mut |part| {
            if let Expression::Item(number, _) = part {
                all.insert(*number);
            }
        });
    }
    all
}

/// A cycle among items each of which needs another one of them.
fn cycle(needs: &[BTreeSet<usize>], left: &BTreeSet<usize>) -> Vec<usize> {
    let mut path: Vec<usize> = left.iter().take(1).copied().collect();
    while let Some(next) = path.last().and_then(|last| needs[*last].intersection(left).next()) {
        if let Some(start) = path.iter().position(|item| item == next) {
            return path.split_off(start);
        }
        path.push(*next);
    }
    path
}
