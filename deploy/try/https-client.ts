import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { SecureVersion, TLSSocket } from 'node:tls'
import { TEST_CERTIFICATE } from '../../apps/server/testing/stand-ins/test-certificate.ts'

export interface RequestOptions {
  readonly port: number
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The caller's own address. */
  readonly from?: string
  readonly maxVersion?: SecureVersion
}

export interface Received {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly protocol: string | null
  readonly body: string
}

function open(path: string, { port, method = 'GET', headers, body, from, maxVersion }: RequestOptions) {
  const sent = https.request({
    host: '127.0.0.1',
    servername: 'localhost',
    port,
    path,
    method,
    agent: false,
    ca: TEST_CERTIFICATE.cert,
    headers: { host: 'localhost', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(from !== undefined && { localAddress: from }),
    ...(maxVersion !== undefined && { minVersion: maxVersion, maxVersion }),
  })
  sent.end(body)
  return once(sent, 'response') as Promise<[IncomingMessage]>
}

/** One request over HTTPS to a proxy on this host. */
export async function request(path: string, options: RequestOptions): Promise<Received> {
  const [response] = await open(path, options)
  const protocol = (response.socket as TLSSocket).getProtocol()
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk
  return { status: response.statusCode, headers: response.headers, rawHeaders: response.rawHeaders, protocol, body }
}

/** A response that stays open. `until` resolves when what arrived so far matches. */
export async function stream(path: string, options: RequestOptions) {
  const [response] = await open(path, options)
  let received = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  return {
    async until(pattern: RegExp, longestMs: number): Promise<void> {
      const signal = AbortSignal.timeout(longestMs)
      while (!pattern.test(received)) await once(response, 'data', { signal })
    },
    close: () => response.destroy(),
  }
}

/** Status and place of the response to plain HTTP. */
export async function plainRequest(
  port: number,
): Promise<{ status: number | undefined; location: string | undefined }> {
  const sent = http.get({ host: '127.0.0.1', port, path: '/health', agent: false, headers: { host: 'localhost' } })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return { status: response.statusCode, location: response.headers.location }
}
