//! Has the crate compiled again when the page was built anew. It runs no other program: the page is built by
//! `npm run build` in `web`, and a plain `cargo build` needs no node.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // development builds read the page from its folder as they run; only others have it inside
    if std::env::var("PROFILE").is_ok_and(|profile| profile != "debug") {
        println!("cargo::rerun-if-changed=web/dist");
    }
}
