//! TLS: everything in this process that speaks it does so by rustls with ring.

/// Say so, before a client is built. The first one in the process is kept.
pub fn install() {
    // An error is the answer of one that was installed before.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
