//! Access control: every request is checked before anything else reads it.
//!
//! * `Host` must be one of a fixed list, so that a foreign name that resolves to this machine (DNS rebinding) is
//!   rejected.
//! * `Origin` of the WebSocket must be one of a fixed list; a missing one is accepted only if a token is required and
//!   given.
//! * A token is required if the server listens beyond this machine, and whenever one is given: other users of this
//!   machine and their programs can reach loopback as well, and write any `Host` and `Origin`. It is sent in the
//!   address once, is moved to a cookie that no other site sends, and is compared in constant time. Cookies are the
//!   same for all ports of a machine, so their name contains the port.
//!
//! Host and Origin are never compared with each other: both come from the client.

use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri, header};
use std::io;

/// Smallest number of characters of a token: 128 bits take 32 in base 16, 22 in base 64.
pub const SHORTEST_TOKEN: usize = 22;
/// Largest number of characters of a token.
pub const LONGEST_TOKEN: usize = 256;
/// Beginning of the part of an address that has the token.
const PAIR: &str = "token=";
/// Number of random bytes of a generated token.
const RANDOM: usize = 16;

/// Which requests are allowed.
#[derive(Clone, Debug)]
pub struct Access {
    /// `name:port`.
    hosts: Vec<String>,
    token: Option<String>,
    /// Name of the cookie with the token.
    pub cookie: String,
}

impl Access {
    /// Rules for this machine's own names and others, at a port.
    pub fn new(port: u16, others: &[String], token: Option<String>) -> Access {
        let own = ["localhost", "127.0.0.1", "[::1]"].map(String::from);
        let names = own.into_iter().chain(others.iter().map(|name| name.to_ascii_lowercase()));
        let mut hosts = Vec::new();
        for name in names {
            hosts.push(format!("{name}:{port}"));
            // browsers leave the usual port out
            if port == 80 {
                hosts.push(name);
            }
        }
        Access { hosts, token, cookie: format!("windlass_token_{port}") }
    }

    /// Checks a request; `live` is the WebSocket.
    pub fn judge(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        live: bool,
    ) -> Result<(), StatusCode> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err(StatusCode::METHOD_NOT_ALLOWED);
        }
        let host = single(headers, &header::HOST).ok_or(StatusCode::MISDIRECTED_REQUEST)?;
        let asked = uri.authority().map_or(host, |authority| authority.as_str());
        if !self.is_known(host) || !self.is_known(asked) {
            return Err(StatusCode::MISDIRECTED_REQUEST);
        }
        if live && !self.is_own_origin(headers) {
            return Err(StatusCode::FORBIDDEN);
        }
        match &self.token {
            Some(token) if !self.offered(uri, headers).any(|offer| is_same(&offer, token)) => {
                Err(StatusCode::UNAUTHORIZED)
            }
            _ => Ok(()),
        }
    }

    fn is_known(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    }

    fn is_own_origin(&self, headers: &HeaderMap) -> bool {
        match headers.get_all(header::ORIGIN).iter().count() {
            0 => self.token.is_some(),
            1 => {
                let origin =
                    single(headers, &header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
                origin.is_some_and(|host| self.is_known(host))
            }
            _ => false,
        }
    }

    /// All candidates for the token.
    fn offered<'a>(&'a self, uri: &'a Uri, headers: &'a HeaderMap) -> impl Iterator<Item = String> + 'a {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let pairs =
            cookies.flat_map(|cookie| cookie.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let ours = pairs.filter(|(name, _)| *name == self.cookie).map(|(_, value)| value.to_string());
        ours.chain(from_address(uri))
    }

    /// The token, if it came in the address: then it is to be moved to a cookie.
    pub fn moved(&self, uri: &Uri) -> Option<&str> {
        let given = from_address(uri)?;
        self.token.as_deref().filter(|token| is_same(&given, token))
    }
}

/// The value of a header that occurs once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let only = all.next()?;
    if all.next().is_some() { None } else { only.to_str().ok() }
}

fn from_address(uri: &Uri) -> Option<String> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix(PAIR)).map(String::from)
}

/// The address of the page with all of a query but the token, such as the quality of the picture.
pub fn without_token(uri: &Uri) -> String {
    let pairs = uri.query().unwrap_or_default().split('&');
    let rest: Vec<_> = pairs.filter(|pair| !pair.is_empty() && !pair.starts_with(PAIR)).collect();
    if rest.is_empty() { "/".to_string() } else { format!("/?{}", rest.join("&")) }
}

/// Whether two texts are equal, in a time that depends only on the length of the offered one.
fn is_same(offer: &str, token: &str) -> bool {
    let (offer, token) = (offer.as_bytes(), token.as_bytes());
    let letters = offer.iter().enumerate().map(|(k, letter)| letter ^ token[k % token.len().max(1)]);
    let differ = letters.fold(0, |all, bits| all | bits);
    std::hint::black_box(differ) == 0 && offer.len() == token.len()
}

/// A new token of the system's random numbers.
///
/// # Errors
/// If the system has none.
pub fn new_token() -> io::Result<String> {
    let mut bytes = [0; RANDOM];
    getrandom::fill(&mut bytes)
        .map_err(|e| io::Error::other(format!("no random numbers for a token: {e}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a token can be sent as it is in addresses and cookies, and is long enough.
pub fn is_token(text: &str) -> bool {
    let plain = |letter: u8| letter.is_ascii_alphanumeric() || b"-_.~".contains(&letter);
    (SHORTEST_TOKEN..=LONGEST_TOKEN).contains(&text.len()) && text.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn ask(access: &Access, uri: &str, fields: &[(&str, &str)], live: bool) -> Result<(), StatusCode> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            headers.append(name, value.parse().expect("a value"));
        }
        access.judge(&Method::GET, &uri.parse().expect("an address"), &headers, live)
    }

    #[test]
    fn only_known_hosts_come_in() {
        let access = Access::new(7474, &[], None);
        for host in ["localhost:7474", "LOCALHOST:7474", "127.0.0.1:7474", "[::1]:7474"] {
            assert_eq!(ask(&access, "/", &[("host", host)], false), Ok(()), "{host}");
        }
        for host in ["localhost", "localhost:7475", "evil.example:7474", "127.0.0.1.evil.example:7474", ""] {
            assert_eq!(
                ask(&access, "/", &[("host", host)], false),
                Err(StatusCode::MISDIRECTED_REQUEST),
                "{host}"
            );
        }
        let both = [("host", "localhost:7474"), ("host", "evil.example:7474")];
        assert!(ask(&access, "/", &both, false).is_err());
        assert!(ask(&access, "/", &[], false).is_err());
        assert!(ask(&access, "http://evil.example:7474/", &[("host", "localhost:7474")], false).is_err());
    }

    #[test]
    fn the_rest_of_the_address_is_kept() {
        let rest = |address: &str| without_token(&address.parse().expect("an address"));
        assert_eq!(rest(&format!("/?token={TOKEN}")), "/");
        assert_eq!(rest(&format!("/?quality=low&token={TOKEN}&a=b")), "/?quality=low&a=b");
        assert_eq!(rest(&format!("//evil.example/?token={TOKEN}&&quality=low")), "/?quality=low");
    }

    #[test]
    fn only_own_pages_open_the_socket() {
        let access = Access::new(7474, &[], None);
        let from = |origin| ask(&access, "/live", &[("host", "localhost:7474"), ("origin", origin)], true);
        assert_eq!(from("http://localhost:7474"), Ok(()));
        assert_eq!(from("http://127.0.0.1:7474"), Ok(()));
        for origin in
            ["http://localhost", "https://localhost:7474", "null", "file://", "http://evil.example:7474"]
        {
            assert_eq!(from(origin), Err(StatusCode::FORBIDDEN), "{origin}");
        }
        // Host and Origin of one foreign name agree, and are rejected nevertheless
        let foreign = [("host", "evil.example:7474"), ("origin", "http://evil.example:7474")];
        assert!(ask(&access, "/live", &foreign, true).is_err());
        assert!(ask(&access, "/live", &[("host", "localhost:7474")], true).is_err(), "no origin, no token");
    }

    #[test]
    fn a_token_opens_where_one_is_needed() {
        let access = Access::new(7474, &["studio.local".to_string()], Some(TOKEN.to_string()));
        let host = ("host", "studio.local:7474");
        assert_eq!(ask(&access, "/", &[host], false), Err(StatusCode::UNAUTHORIZED));
        assert_eq!(ask(&access, &format!("/?token={TOKEN}"), &[host], false), Ok(()));
        let cookie = format!("other=1; windlass_token_7474={TOKEN}");
        assert_eq!(
            ask(&access, "/live", &[host, ("cookie", &cookie)], true),
            Ok(()),
            "a program has no origin"
        );
        // another studio of this machine has a cookie of its own
        let other = format!("windlass_token_7475={TOKEN}");
        assert!(ask(&access, "/live", &[host, ("cookie", &other)], true).is_err());
        for wrong in ["", &TOKEN[1..], &TOKEN.repeat(2), "0123456789abcdef0123456789abcdeF"] {
            assert!(ask(&access, &format!("/?token={wrong}"), &[host], false).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tokens_are_long_and_plain() {
        assert!(is_token(TOKEN));
        let [a, b] = [new_token(), new_token()].map(|token| token.expect("random numbers"));
        assert!(is_token(&a) && is_token(&b) && a != b);
        assert!(!is_token("short") && !is_token(&"a b".repeat(20)) && !is_token(&"ä".repeat(30)));
    }
}
