//! The page: files built by `npm run build`, or a note on how to build them, and the headers of every response.
//!
//! Release builds embed the files, so that no path is ever looked up on disk. Development builds read the build folder
//! at run time, and nothing else.

use axum::body::Body;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Response, StatusCode};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "web/dist"]
#[allow_missing = true]
struct Files;

/// The page shown until the real one is built.
const PLACEHOLDER: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Windlass studio</title>
<h1>Windlass studio</h1>
<p>The simulation runs, but this program was built without its page. Build it once, and then the program again:</p>
<pre>cd crates/studio/web
npm install
npm run build
cd ../../..
cargo build --release -p windlass-cli</pre>
</html>
";

/// Content security policy: only this server, and no embedding in frames. Inline styles are allowed, which plots and
/// the drawing surface need; inline scripts are not.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
    font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; frame-ancestors 'none'; \
    base-uri 'none'; form-action 'none'";

/// Sets the headers of every response.
pub fn protect(headers: &mut HeaderMap) {
    let fields: [(HeaderName, &'static str); 6] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fields {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The file of a path.
pub fn file(path: &str) -> Response<Body> {
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let is_plain = name.len() < 200 && !name.contains("..") && !name.contains('\\');
    match Files::get(name).filter(|_| is_plain) {
        // names of built assets have their hash in them
        Some(found) if name.starts_with("assets/") => {
            answer(StatusCode::OK, kind(name), "public, max-age=31536000, immutable", found.data.into_owned())
        }
        Some(found) => answer(StatusCode::OK, kind(name), "no-cache", found.data.into_owned()),
        None if name == "index.html" => answer(StatusCode::OK, kind(name), "no-store", PLACEHOLDER.into()),
        None => answer(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", "no-store", "not found\n".into()),
    }
}

/// A page that goes on to the page itself.
pub fn onward() -> Response<Body> {
    let text =
        "<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0;url=/\">\n";
    answer(StatusCode::OK, kind("onward.html"), "no-store", text.into())
}

/// A JSON text made on request.
pub fn json(text: String) -> Response<Body> {
    answer(StatusCode::OK, "application/json", "no-cache", text.into_bytes())
}

/// A file to download; none if it no longer exists.
pub fn download(path: &str, content: Option<Vec<u8>>) -> Response<Body> {
    let Some(content) = content else {
        let gone = "not found: it may have been deleted in favour of newer files\n";
        return answer(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", "no-store", gone.into());
    };
    let mut response = answer(StatusCode::OK, kind(path), "no-store", content);
    response.headers_mut().insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    response
}

/// A rejected request.
pub fn refuse(status: StatusCode) -> Response<Body> {
    let text = match status {
        StatusCode::UNAUTHORIZED => "open the address that the program printed: it contains a token\n",
        StatusCode::MISDIRECTED_REQUEST => "this host name is not accepted: see --name\n",
        _ => "refused\n",
    };
    answer(status, "text/plain; charset=utf-8", "no-store", text.into())
}

fn answer(status: StatusCode, kind: &'static str, cache: &'static str, content: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::from(content));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    response
}

/// The media type of a file.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "mp4" => "video/mp4",
        "glb" => "model/gltf-binary",
        "csv" => "text/csv; charset=utf-8",
        "pov" => "text/plain; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
