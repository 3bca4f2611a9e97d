import { allowedHosts } from './allowed-hosts.ts'
import { optional, setting } from './define-setting.ts'
import { hostName, readableFile, wholeNumber } from './setting-parsers.ts'

/** Settings of the operator's network: certificates, metrics, links. */
export const OPERATOR_SETTINGS = {
  tlsCertFile: optional(
    'TLS_CERT_FILE',
    readableFile,
    'File with the certificate and its chain in PEM: the service then speaks HTTPS, TLS 1.2 or newer. Read again when the file changes, and on SIGHUP. Requires TLS_KEY_FILE. Unset: plain HTTP',
  ),
  tlsKeyFile: optional('TLS_KEY_FILE', readableFile, 'File with the private key of TLS_CERT_FILE in PEM'),
  metricsPort: optional(
    'METRICS_PORT',
    wholeNumber(0, 65_535),
    'Port of `/metrics`, without a key and in plain HTTP; 0 picks a free one, and the value of PORT serves it there. Unset: in sandbox PORT, in live no port',
  ),
  metricsHost: setting('METRICS_HOST', '127.0.0.1', hostName, 'Address that METRICS_PORT listens on'),
  privateLinks: optional(
    'PRIVATE_LINKS',
    allowedHosts,
    'Hosts and networks that live may reach without TLS, because the link to them is private: host names, addresses and CIDRs, separated by commas. Live refuses any other plain http RPC endpoint, DATABASE_URL without `sslmode=verify-full`, REDIS_URL without rediss, and plain http PUBLIC_URL. Loopback addresses and Unix sockets need no entry',
  ),
} as const
