// Exits with 0 if the service of this container is ready. The image's HEALTHCHECK runs it.
import http from 'node:http'
import https from 'node:https'

const { PORT = '3000', TLS_CERT_FILE } = process.env
const end = (code) => process.exit(code)
const options = { host: '127.0.0.1', port: PORT, path: '/ready', timeout: 4_000 }
// The certificate is for the public name, not for 127.0.0.1; nothing secret is sent.
const request = TLS_CERT_FILE ? https.get({ ...options, rejectUnauthorized: false }) : http.get(options)
request.on('response', ({ statusCode }) => end(statusCode === 200 ? 0 : 1))
request.on('timeout', () => end(1))
request.on('error', () => end(1))
