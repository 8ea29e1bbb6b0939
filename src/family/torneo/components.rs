//! Strongly connected components of a directed graph (Tarjan 1972), without recursion: a round may have thousands of tools.

/// The strongly connected components of a graph over the nodes `0..nodes`, each sorted, in the order of their first nodes.
/// Edges are (from, to); edges that leave the range are ignored.
pub fn strongly_connected(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let (starts, targets) = adjacency(nodes, edges);
    let mut order = vec![UNSEEN; nodes];
    let mut low = vec![0; nodes];
    let mut open = vec![false; nodes];
    let mut stack = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut next = 0;
    let mut components = Vec::new();
    for root in 0..nodes {
        if order[root] != UNSEEN {
            continue;
        }
        path.push((root, starts[root]));
        while let Some(&mut (node, ref mut at)) = path.last_mut() {
            if order[node] == UNSEEN {
                order[node] = next;
                low[node] = next;
                next += 1;
                open[node] = true;
                stack.push(node);
            }
            if *at < starts[node + 1] {
                let target = targets[*at];
                *at += 1;
                if order[target] == UNSEEN {
                    path.push((target, starts[target]));
                } else if open[target] {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let from = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                let mut component = stack.split_off(from);
                for &member in &component {
                    open[member] = false;
                }
                component.sort_unstable();
                components.push(component);
            }
        }
    }
    components.sort_unstable();
    components
}

/// Targets grouped by source: those of `node` are `targets[starts[node]..starts[node + 1]]`.
fn adjacency(nodes: usize, edges: &[(usize, usize)]) -> (Vec<usize>, Vec<usize>) {
    let inside = edges.iter().filter(|&&(from, to)| from < nodes && to < nodes);
    let mut starts = vec![0; nodes + 1];
    for &(from, _) in inside.clone() {
        starts[from + 1] += 1;
    }
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    let mut free = starts.clone();
    let mut targets = vec![0; starts[nodes]];
    for &(from, to) in inside {
        targets[free[from]] = to;
        free[from] += 1;
    }
    (starts, targets)
}

#[cfg(test)]
mod tests {
    use super::strongly_connected;
    use proptest::prelude::*;

    #[test]
    fn two_cycles_apart_and_a_tool_between_them() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 4)];
        assert_eq!(strongly_connected(6, &edges), [vec![0, 1, 2], vec![3], vec![4, 5]]);
    }

    #[test]
    fn a_long_cycle_needs_no_deep_stack() {
        let edges: Vec<_> = (0..200_000).map(|node| (node, (node + 1) % 200_000)).collect();
        assert_eq!(strongly_connected(200_000, &edges).len(), 1);
    }

    /// By definition: two nodes are in one component iff each reaches the other.
    fn by_reach(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut reach = vec![vec![false; nodes]; nodes];
        for (node, row) in reach.iter_mut().enumerate() {
            row[node] = true;
        }
        for &(from, to) in edges {
            reach[from][to] = true;
        }
        for via in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        let class = |node: usize| (0..nodes).filter(|&other| reach[node][other] && reach[other][node]).collect();
        let mut classes: Vec<Vec<usize>> = (0..nodes).map(class).collect();
        classes.sort();
        classes.dedup();
        classes
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition((nodes, edges) in (1usize..9).prop_flat_map(|nodes| {
            (Just(nodes), proptest::collection::vec((0..nodes, 0..nodes), 0..24))
        })) {
            prop_assert_eq!(strongly_connected(nodes, &edges), by_reach(nodes, &edges));
        }
    }
}
