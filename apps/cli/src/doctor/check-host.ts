import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '../../../server/src/config.ts'
import { listenProblem } from '../../../server/src/main/start/listen-problem.ts'
import { type Finding, ok, problem, warning } from './findings.ts'

const GIB = 2 ** 30
const DISK_PROBLEM = 1 * GIB
const DISK_WARNING = 5 * GIB
const OLDEST_NODE = 24
/** A busy machine answers late; no load balancer waits longer than this. */
const ANSWER_MS = 10_000

/** Checks Node, the disk under the data folder, and the address to listen on. */
export async function checkHost(config: Config): Promise<Finding[]> {
  return [nodeVersion(), await freeDisk(config.dataDir), ...(await listening(config))]
}

function nodeVersion(): Finding {
  const major = Number(process.versions.node.split('.')[0])
  if (major >= OLDEST_NODE) return ok(`Node ${process.version}`)
  return problem(`Node ${process.version} is too old`, `install Node ${OLDEST_NODE} or newer`)
}

async function freeDisk(dataDir: string): Promise<Finding> {
  let folder = dataDir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const message = `${(free / GIB).toFixed(1)} GiB are free under ${dataDir}`
  if (free < DISK_PROBLEM) return problem(message, 'free some space: a full disk stops the database')
  if (free < DISK_WARNING) return warning(message, 'free some space before it is full')
  return ok(message)
}

async function listening({ host, port, tls }: Config): Promise<Finding[]> {
  if (port === 0) return [ok('PORT is 0: the start chooses a free port')]
  const refusal = await tryToListen(host, port)
  if (refusal === undefined) return [ok(`${host}:${port} is free`)]
  if (refusal !== 'EADDRINUSE') return [refused(refusal, host, port)]
  const base = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
  const ready = await readiness(base)
  if (ready === 'silent')
    return [
      problem(`${base}/ready did not respond within ${ANSWER_MS / 1_000} s`, 'read the logs of what listens there'),
    ]
  if (ready === undefined)
    return [problem(`${host}:${port} is used by another program`, 'choose another PORT, or stop that program')]
  if (ready.ok) return [ok(`a service runs on ${base} and is ready`)]
  return [problem(`a service runs on ${base} and is not ready: ${ready.failing}`, `read ${base}/ready and the logs`)]
}

function refused(code: string, host: string, port: number): Finding {
  const known = listenProblem(code, { host, port, hostSetting: 'HOST', portSetting: 'PORT' })
  if (known === undefined) return problem(`cannot listen on ${host}:${port}: ${code}`, 'check HOST and PORT')
  return problem(`${known.setting}: ${known.message}`, known.remedy)
}

/** Listens for a moment; the code of the refusal, or undefined. */
async function tryToListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer().listen(port, host)
  try {
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

interface Readiness {
  readonly ok: boolean
  readonly failing: string
}

interface ReadyBody {
  readonly status?: string
  readonly code?: string
  readonly details?: { readonly checks?: Readonly<Record<string, string>> }
}

/** What `GET /ready` says; undefined if another program responds. */
async function readiness(base: string): Promise<Readiness | 'silent' | undefined> {
  try {
    const { status: httpStatus, text: body } = await read(new URL('/ready', base))
    const { status, code, details } = JSON.parse(body) as ReadyBody
    if (status !== 'ready' && code !== 'NOT_READY') return undefined
    const failing = Object.entries(details?.checks ?? {}).filter(([, value]) => value !== 'ok')
    return { ok: httpStatus === 200, failing: failing.map(([name]) => name).join(', ') || 'stopping' }
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : undefined
  }
}

/**
 * One response, without following a redirection. The certificate is for the public name, not for this address; nothing
 * secret is sent. Throws a TimeoutError, or what the connection throws.
 */
async function read(url: URL): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  try {
    const request =
      url.protocol === 'https:' ? https.get(url, { signal, rejectUnauthorized: false }) : http.get(url, { signal })
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    return { status: response.statusCode, text: await text(response) }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}
