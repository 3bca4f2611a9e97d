import { X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createSecureContext, type SecureContextOptions } from 'node:tls'
import { type Config, ConfigError } from '../../config.ts'
import { CERTIFICATE_CHECK_MS, type Log } from '../../kernel/index.ts'

type CertificateFiles = NonNullable<Config['tls']>

export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** Reads certificate and key. Throws a {@link ConfigError} with one line if they cannot be used together. */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  try {
    const certificate = { cert: readFileSync(certFile), key: readFileSync(keyFile) }
    // Throws for text that is no certificate or key, and for a key of another certificate.
    createSecureContext(certificate)
    return certificate
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${reason}`], { cause: error })
  }
}

interface TlsServer {
  setSecureContext(options: SecureContextOptions): void
}

/**
 * Uses a renewed certificate from the next handshake on: when a file changes, and on SIGHUP. Open connections keep
 * theirs. Files that cannot be used, such as a new certificate whose key is not written yet, change nothing and are
 * logged. Returns a function that ends it.
 */
export function reloadCertificate(
  server: TlsServer,
  files: CertificateFiles,
  { log, checkMs = CERTIFICATE_CHECK_MS }: { readonly log: Log; readonly checkMs?: number },
): () => void {
  const reload = (): void => {
    try {
      const certificate = readCertificate(files)
      server.setSecureContext({ ...certificate, minVersion: 'TLSv1.2' })
      log.info({ validTo: new X509Certificate(certificate.cert).validTo }, 'certificate loaded')
    } catch (error) {
      log.error({ err: error }, 'failed to reload the certificate: the previous one stays in use')
    }
  }
  // Compares the files themselves, so that it also sees a replaced file or symbolic link.
  for (const file of [files.certFile, files.keyFile]) {
    watchFile(file, { interval: checkMs, persistent: false }, reload)
  }
  process.on('SIGHUP', reload)
  return () => {
    process.off('SIGHUP', reload)
    for (const file of [files.certFile, files.keyFile]) unwatchFile(file, reload)
  }
}
