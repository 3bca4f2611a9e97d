// Exits with 0 if the program of this container is ready: the service, or the agent. The image's HEALTHCHECK runs it.
import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'

const { PORT = '3000', AGENT_PORT = '9464', TLS_CERT_FILE } = process.env
// Process 1 is the program, or an init that has the program's command in its own.
const [, , commandFile = '/proc/1/cmdline'] = process.argv
const end = (code) => process.exit(code)
const isAgent = existsSync(commandFile) && readFileSync(commandFile, 'utf8').split('\0').includes('agent')
const options = { host: '127.0.0.1', port: isAgent ? AGENT_PORT : PORT, path: '/ready', timeout: 4_000 }
// The certificate is for the public name, not for 127.0.0.1; nothing secret is sent.
const isEncrypted = TLS_CERT_FILE && !isAgent
const request = isEncrypted ? https.get({ ...options, rejectUnauthorized: false }) : http.get(options)
request.on('response', ({ statusCode }) => end(statusCode === 200 ? 0 : 1))
request.on('timeout', () => end(1))
request.on('error', () => end(1))
