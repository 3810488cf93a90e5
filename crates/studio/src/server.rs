//! Options → a listening server and a running session.
//!
//! Connections are read with bounds: 10 s for the head of a request, 100 fields, 32 kB, 1024 connections, and per address
//! a number of those that wait (`connections.rs`). A connection that becomes a WebSocket no longer counts among them; the number
//! of clients has limits of its own, in all and per address (`clients.rs`).

use crate::access::{self, Access};
use crate::connections::{Answer, Connections, Door, network};
use crate::export::Exports;
use crate::gallery::{Gallery, Item};
use crate::hub::{Hub, ORDERS};
use crate::message::LONGEST_TEXT;
use crate::recovery::Recovery;
use crate::session::Session;
use crate::{live, page};
use axum::body::Body;
use axum::extract::{FromRequestParts, Request, State, WebSocketUpgrade};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::{Router, routing};
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener as Listener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;
use std::time::Duration;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use windlass_scene::Errors;

/// The first port to try.
pub const PORT: u16 = 7474;
/// Number of ports tried after it.
const TRIES: u16 = 20;
/// Largest number of simultaneous connections.
const CONNECTIONS: usize = 1024;
/// Time for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Bytes of the head of a request.
const HEAD: usize = 32 << 10;
/// Size of the buffers of a socket [bytes]; they are allocated before a client sends anything.
const BUFFER: usize = 16 << 10;
/// Fields of the head of a request.
const FIELDS: usize = 100;

/// Options of the server.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A scene file to start with; the crane if none.
    pub scene: Option<PathBuf>,
    /// The port; if none, 7474 or the next that is free.
    pub port: Option<u16>,
    /// The address to listen at; loopback if none.
    pub host: Option<IpAddr>,
    /// Additional host names of the server.
    pub names: Vec<String>,
    /// The token of clients; required beyond loopback.
    pub token: Option<String>,
    /// The folder whose scenes are offered.
    pub folder: Option<PathBuf>,
    /// The folder of the user in which unsaved texts are kept; if none, they are kept in memory only.
    pub state: Option<PathBuf>,
}

/// Reasons why the studio cannot start.
#[derive(Debug, Error)]
pub enum Error {
    /// The scene is invalid.
    #[error("{0}")]
    Scene(Box<Errors>),
    /// Listening beyond this machine without a token.
    #[error(
        "{0} can be reached from other machines: give a --token, such as the output of `openssl rand -hex 16`"
    )]
    NoToken(IpAddr),
    /// An invalid token.
    #[error(
        "the token must have {} to {} letters, digits, - _ . or ~: use the output of `openssl rand -hex 16`",
        access::SHORTEST_TOKEN,
        access::LONGEST_TOKEN
    )]
    Token,
    /// An invalid host name.
    #[error("\"{0}\" is not a host name: give one without port, such as studio.local")]
    Name(String),
    /// The port is not available.
    #[error("cannot listen on {address}: {source}; choose another --port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
    /// No thread could be started.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Studio {
    address: SocketAddr,
    token: Option<String>,
    hub: Arc<Hub>,
    session: Option<JoinHandle<()>>,
    /// Dropped with the studio, and with it all connections.
    runtime: Option<Runtime>,
}

/// The address a request comes from.
#[derive(Clone, Copy)]
struct Peer(IpAddr);

/// State shared by the handlers.
#[derive(Clone)]
struct Desk {
    access: Arc<Access>,
    hub: Arc<Hub>,
    gallery: Arc<Gallery>,
    exports: Arc<Exports>,
}

impl Studio {
    /// Starts to listen and to simulate.
    ///
    /// # Errors
    /// If the scene is invalid, the port is not available, or the server would be open to others without a token.
    pub fn start(options: &Options) -> Result<Studio, Error> {
        let host = options.host.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        check(options, host)?;
        let named = options.scene.as_deref().map(Item::named);
        let gallery = Gallery { folder: options.folder.clone(), named };
        let (sender, orders) = sync_channel(ORDERS);
        let hub = Arc::new(Hub::new(sender));
        let exports = Arc::new(Exports::new()?);
        let recovery = Recovery::open(options.state.as_deref(), options.folder.as_deref());
        let session = Session::new(hub.clone(), gallery.clone(), exports.clone(), recovery);
        let session = session.map_err(|errors| Error::Scene(Box::new(errors)))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            // only lists of scenes, closing messages and files to download block, and briefly
            .max_blocking_threads(4)
            .thread_keep_alive(Duration::from_secs(1))
            .enable_all()
            .build()?;
        let listener = listen(host, options.port)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let mut names = options.names.clone();
        if !host.is_loopback() && !host.is_unspecified() {
            names.push(if host.is_ipv6() { format!("[{host}]") } else { host.to_string() });
        }
        let access = Access::new(address.port(), &names, options.token.clone());
        let desk = Desk { access: Arc::new(access), hub: hub.clone(), gallery: Arc::new(gallery), exports };
        let inside = runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        drop(inside);
        runtime.spawn(hub.clone().keep_time());
        runtime.spawn(accept(listener, routes(desk)));
        let thread = std::thread::Builder::new().name("session".to_string());
        let session = thread.spawn(move || session.run(&orders))?;
        Ok(Studio {
            address,
            token: options.token.clone(),
            hub,
            session: Some(session),
            runtime: Some(runtime),
        })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open in a browser.
    pub fn url(&self) -> String {
        let port = self.address.port();
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => "localhost".to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
            IpAddr::V4(ip) => ip.to_string(),
        };
        match &self.token {
            Some(token) => format!("http://{host}:{port}/?token={token}"),
            None => format!("http://{host}:{port}/"),
        }
    }

    /// Whether the simulation still runs.
    pub fn is_running(&self) -> bool {
        self.session.as_ref().is_some_and(|session| !session.is_finished())
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.hub.stop();
        if let Some(session) = self.session.take() {
            // a thread that panicked has ended, too
            let _ = session.join();
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn check(options: &Options, host: IpAddr) -> Result<(), Error> {
    match &options.token {
        Some(token) if !access::is_token(token) => return Err(Error::Token),
        None if !host.is_loopback() => return Err(Error::NoToken(host)),
        _ => {}
    }
    let is_name = |name: &&String| {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.');
        plain && !name.is_empty() && name.len() <= 253
    };
    match options.names.iter().find(|name| !is_name(name)) {
        Some(name) => Err(Error::Name(name.chars().take(80).collect())),
        None => Ok(()),
    }
}

/// Listens on the port, or on the first that is free.
fn listen(host: IpAddr, port: Option<u16>) -> Result<Listener, Error> {
    let bind = |port: u16| {
        let address = SocketAddr::new(host, port);
        Listener::bind(address).map_err(|source| Error::Listen { address, source })
    };
    match port {
        Some(port) => bind(port),
        None => {
            let free = (PORT..PORT + TRIES).find_map(|port| bind(port).ok());
            free.map_or_else(|| bind(PORT), Ok)
        }
    }
}

fn routes(desk: Desk) -> Router {
    Router::new().fallback(routing::any(answer)).with_state(desk)
}

/// Answers a request.
async fn answer(State(desk): State<Desk>, request: Request) -> Response<Body> {
    let mut response = route(desk, request).await;
    page::protect(response.headers_mut());
    response
}

async fn route(desk: Desk, request: Request) -> Response<Body> {
    let (mut parts, _) = request.into_parts();
    let live = parts.uri.path() == "/live";
    if let Err(status) = desk.access.judge(&parts.method, &parts.uri, &parts.headers, live) {
        return page::refuse(status);
    }
    if live {
        let peer = parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        return match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => upgrade
                .read_buffer_size(BUFFER)
                .write_buffer_size(BUFFER)
                .max_message_size(LONGEST_TEXT)
                .max_frame_size(LONGEST_TEXT)
                .on_upgrade(move |socket| live::serve(socket, desk.hub, desk.gallery, peer))
                .into_response(),
            Err(refusal) => refusal.into_response(),
        };
    }
    if parts.uri.path() == "/schema.json" {
        return page::json(windlass_scene::schema().to_string());
    }
    if let Some(rest) = parts.uri.path().strip_prefix("/export/") {
        let file = rest.split_once('/').and_then(|(id, name)| desk.exports.file(id, name));
        let read = tokio::task::spawn_blocking(move || std::fs::read(file?).ok()).await;
        return page::download(parts.uri.path(), read.ok().flatten());
    }
    match desk.access.moved(&parts.uri) {
        Some(token) => {
            let site = parts.headers.get("sec-fetch-site");
            let is_linked = site.is_some_and(|site| site == "cross-site");
            to_cookie(&desk.access.cookie, token, &access::without_token(&parts.uri), is_linked)
        }
        None => page::file(parts.uri.path()),
    }
}

/// Moves the token from the address, which browser histories keep, to a cookie. After a link on a page of another site, such
/// as a notebook, a browser does not send the cookie along a redirect: then a page goes on to the address without the
/// token and the rest of its query.
fn to_cookie(name: &str, token: &str, page: &str, is_linked: bool) -> Response<Body> {
    let cookie = format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict");
    let (Ok(cookie), Ok(location)) = (HeaderValue::from_str(&cookie), HeaderValue::from_str(page)) else {
        return page::refuse(StatusCode::UNAUTHORIZED);
    };
    let mut response = if is_linked { page::onward() } else { Response::new(Body::empty()) };
    if !is_linked {
        *response.status_mut() = StatusCode::SEE_OTHER;
        response.headers_mut().insert(header::LOCATION, location);
    }
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response
}

/// Accepts connections.
async fn accept(listener: TcpListener, routes: Router) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let doors = Arc::new(Connections::default());
    loop {
        let (stream, address) = match listener.accept().await {
            Ok((stream, peer)) => (stream, network(peer.ip())),
            // no descriptors are left: wait for some to be closed
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        // beyond the limit, connections are closed at once
        let Ok(place) = room.clone().try_acquire_owned() else { continue };
        let (routes, door) = (routes.clone(), Arc::new(doors.enter(address)));
        tokio::spawn(async move {
            connection(stream, routes, address, door).await;
            drop(place);
        });
    }
}

async fn connection(stream: TcpStream, routes: Router, address: IpAddr, door: Arc<Door>) {
    // frames are small, and latency is worse than many packets; failure of this option is harmless
    let _ = stream.set_nodelay(true);
    let (routes, served) = (TowerToHyperService::new(routes), door.clone());
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        served.serves();
        request.extensions_mut().insert(Peer(address));
        let (answer, served) = (routes.call(request), served.clone());
        async move {
            let Ok(answer) = answer.await;
            Ok::<_, Infallible>(answer.map(|body| Answer::new(body, served)))
        }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(FIELDS)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // an error ends this connection only
    tokio::select! {
        _ = connection => {}
        () = door.closed() => {}
    }
}
