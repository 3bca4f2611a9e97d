import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { describedMetrics } from '../../../../scripts/documents/described-metrics.ts'
import { selfSigned } from '../../testing/stand-ins/self-signed.ts'
import { createRawClient, parseAnswer, type RawAnswer, type RawClient, received } from '../clients/raw-client.ts'
import { SMUGGLED, SPELLINGS } from '../fuzzing/hostile-requests.ts'
import { createDataDir, type ServiceProcess, startProcess } from '../processes/service-process.ts'

/** Attacks on the connection, the protocol and the operator's ports, against a service with TLS as in live. */

const KEYS_MAX = 8
const WALLETS_MAX = 3
let folder: Awaited<ReturnType<typeof createDataDir>>
let service: ServiceProcess
let client: RawClient
let credentials: { email: string; password: string; organizationApiKey: string }

beforeAll(async () => {
  const certificate = await selfSigned()
  folder = await createDataDir()
  const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')]
  await writeFile(TLS_CERT_FILE, certificate.cert)
  await writeFile(TLS_KEY_FILE, certificate.key)
  service = await startProcess({
    DATA_DIR: folder.path,
    TLS_CERT_FILE,
    TLS_KEY_FILE,
    METRICS_PORT: '0',
    QUOTA_API_KEYS: String(KEYS_MAX),
    QUOTA_WALLETS: String(WALLETS_MAX),
    RATE_LIMIT_MULTIPLIER: '10000',
  })
  client = createRawClient(Number(new URL(service.url).port), certificate.cert)
  credentials = JSON.parse(await readFile(join(folder.path, 'sandbox-credentials.json'), 'utf8'))
})
afterAll(async () => {
  await service?.end()
  await folder?.remove()
})
afterEach(async () => {
  client.closeAll()
  // Whatever was tried, the service still serves.
  expect(await send('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1.1 200 OK/,
  )
})

const send = (bytes: string) => client.send(bytes)
const call: RawClient['call'] = (...request) => client.call(...request)

const asJson = (answer: RawAnswer) => JSON.parse(answer.body)

async function ownerToken(): Promise<string> {
  const { email, password } = credentials
  const answer = await call(
    'POST',
    '/api/core/auth/login',
    { 'Content-Type': 'application/json' },
    JSON.stringify({ email, password }),
  )
  return asJson(answer).data.accessToken
}

const responses = (text: string) => text.match(/HTTP\/1\.1 \d{3} /g) ?? []

describe('a request that hides another one is refused with 400, and the hidden one is not served:', () => {
  test.each(SMUGGLED)('%s', async (_shape, bytes) => {
    const text = await send(bytes)
    expect(responses(text)).toEqual(['HTTP/1.1 400 '])
    expect(parseAnswer(text).headers).toMatchObject({ connection: 'close', 'x-content-type-options': 'nosniff' })
    expect(text).not.toContain('venues')
  })
})

describe('a request beyond the limits of its headers is refused before it is read:', () => {
  test.each([
    ['one header of 20 kB', `GET /health HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['4,000 headers', `GET /health HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(4_000)}\r\n`, 431],
    ['a path of 20 kB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['a path of 10 kB', `GET /v1/wallets/${'a'.repeat(10_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, 404],
  ])('%s', async (_shape, bytes, status) => {
    expect(parseAnswer(await send(bytes)).status).toBe(status)
  })

  test('a chunk with an extension of 100 kB', async () => {
    const head = 'POST /v1/wallets/register HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
    const text = await send(`${head}1;${'x'.repeat(100_000)}\r\na\r\n0\r\n\r\n`)
    // The connection may be gone before the client has read why.
    expect(responses(text).join()).toMatch(/^(HTTP\/1\.1 4\d\d )?$/)
  })

  test('a length of 100 GB is refused before a byte of the body', async () => {
    const head = 'POST /v1/wallets/register HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
    const key = `x-api-key: ${credentials.organizationApiKey}\r\nContent-Type: application/json\r\n`
    const answer = parseAnswer(await send(`${head}${key}Content-Length: 107374182400\r\n\r\n{`))
    expect([answer.status, asJson(answer).code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('a compressed body is not unpacked', async () => {
    const answer = await call(
      'POST',
      '/v1/wallets/register',
      {
        'x-api-key': credentials.organizationApiKey,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
      },
      'x',
    )
    expect([answer.status, asJson(answer).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})

describe('another protocol is not spoken:', () => {
  test.each([
    ['HTTP/0.9', 'GET /health\r\n\r\n'],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version that does not exist', 'GET /health HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a method that does not exist', 'PWN /health HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a request without Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('%s is 400', async (_what, bytes) => {
    const text = await send(bytes)
    expect(responses(text)).toEqual(['HTTP/1.1 400 '])
    expect(parseAnswer(text).headers['x-request-id']).toMatch(/^req_/)
  })

  test('HTTP/1.0 gets one response and a closed connection; a second request in the same packet is not served', async () => {
    expect(responses(await send('GET /health HTTP/1.0\r\n\r\n'))).toEqual(['HTTP/1.1 200 '])
    const text = await send('GET /health HTTP/1.0\r\n\r\nGET /v1/venues HTTP/1.0\r\n\r\n')
    expect(responses(text).length).toBeLessThanOrEqual(1)
    expect(text).not.toContain('INVALID_API_KEY')
  })

  test.each(['websocket', 'h2c'])('an upgrade to %s is ignored', async (upgrade) => {
    const answer = await call('GET', '/health', { Connection: 'Upgrade, close', Upgrade: upgrade })
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('upgrade')
  })

  test('CONNECT opens no tunnel', async () => {
    const text = await send('CONNECT 127.0.0.1:5432 HTTP/1.1\r\nHost: 127.0.0.1:5432\r\n\r\n')
    expect(text).not.toMatch(/^HTTP\/1\.1 2/)
  })

  test('TRACE echoes no header of the request', async () => {
    const answer = await call('TRACE', '/health', { 'x-api-key': credentials.organizationApiKey })
    expect([answer.status, asJson(answer).code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(JSON.stringify(answer)).not.toContain(credentials.organizationApiKey)
  })
})

describe('no spelling of a path avoids the credential:', () => {
  test.each(SPELLINGS)('GET %s without one reads nothing', async (path) => {
    const answer = await call('GET', path)
    expect([400, 401, 404, 405]).toContain(answer.status)
    expect(answer.body).not.toContain('walletAddress')
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
  '%s does not change the method',
  async (header) => {
    const authorization = { Authorization: `Bearer ${await ownerToken()}` }
    const before = asJson(await call('GET', '/api/core/members', authorization)).data
    const overridden = await call('POST', '/api/core/organization?_method=DELETE', {
      ...authorization,
      [header]: 'DELETE',
      'Content-Type': 'application/json',
    })
    expect([overridden.status, asJson(overridden).code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(asJson(await call('GET', '/api/core/members', authorization)).data).toEqual(before)
  },
)

test('a foreign Host and forged forwarding headers are not repeated in any response, nor in the audit log', async () => {
  const forged = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'http',
    'X-Forwarded-For': '203.0.113.9',
    Forwarded: 'for=203.0.113.9;host=evil.example',
    'X-Real-IP': '203.0.113.9',
  }
  for (const path of ['/docs', '/docs/', '/openapi.json', '/health', '/v1/wallets', '/nowhere']) {
    expect(JSON.stringify(await call('GET', path, forged)), path).not.toMatch(/evil\.example|203\.0\.113\.9/)
  }
  const Authorization = `Bearer ${await ownerToken()}`
  const body = JSON.stringify({ name: 'Forged' })
  const headers = { ...forged, Authorization, 'Content-Type': 'application/json' }
  const made = asJson(await call('POST', '/api/core/wallet-profiles', headers, body)).data
  const log = await call('GET', '/api/core/audit-log', { Authorization })
  expect(log.body).not.toContain('203.0.113.9')
  expect(asJson(log).data.entries[0]).toMatchObject({ object: { id: made.id }, from: '127.0.0.1' })
  // A caller behind a proxy cannot claim to be on this machine.
  const rpc = { 'Content-Type': 'application/json', 'X-Forwarded-For': '127.0.0.1' }
  expect((await call('POST', '/sandbox/rpc/polygon', rpc, '{}')).status).toBeGreaterThanOrEqual(400)
})

describe('a page of another origin', () => {
  const origin = 'https://evil.example'
  test.each(['/v1/wallets', '/api/core/auth/login', '/api/core/members', '/health'])(
    'gets no permission for %s',
    async (path) => {
      const ask = {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-api-key',
      }
      for (const method of ['OPTIONS', 'GET']) {
        const { status, headers } = await call(method, path, ask)
        if (method === 'OPTIONS') expect(status).toBe(405)
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
        expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      }
    },
  )

  test('sends no form that a route takes for JSON', async () => {
    const { email, password } = credentials
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a']) {
      const headers = { Origin: origin, 'Content-Type': type }
      const answer = await call('POST', '/api/core/auth/login', headers, JSON.stringify({ email, password }))
      expect([answer.status, asJson(answer).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
  })

  test.each(['/docs/', '/health', '/v1/wallets', '/nowhere'])('cannot frame %s', async (path) => {
    const { headers } = await call('GET', path)
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })
})

describe('metrics', () => {
  test.each(['/metrics', '/metrics/', '//metrics', '/%6detrics', '/METRICS', '/docs/../metrics'])(
    'are not on the public port: %s',
    async (path) => {
      const answer = await call('GET', path, { 'X-Forwarded-For': '127.0.0.1' })
      expect([answer.status, asJson(answer).code]).toEqual([404, 'NOT_FOUND'])
      expect(answer.body).not.toContain('weir_')
    },
  )

  test('have a port that serves nothing else', async () => {
    const url = service.lines.find((line) => line.startsWith('metrics '))!.slice('metrics '.length)
    const names = (await (await fetch(url)).text()).match(/(?<=^# TYPE )weir_\w+/gm)
    const documented = describedMetrics().map(({ name }) => name)
    expect(names?.toSorted()).toEqual(documented.filter((name) => name.startsWith('weir_')))
    const headers = { 'x-api-key': credentials.organizationApiKey }
    for (const path of ['/v1/wallets', '/health', '/']) {
      const answer = await fetch(new URL(path, url), { headers })
      expect([answer.status, await answer.text()]).toEqual([404, ''])
    }
  })
})

test('twelve requests at once for the last places of a quota take exactly those', async () => {
  const Authorization = `Bearer ${await ownerToken()}`
  const headers = { Authorization, 'Content-Type': 'application/json' }
  const quota = async () => {
    const { data } = asJson(await call('GET', '/api/core/organization/quotas', { Authorization }))
    return (data as { quota: string; limit: number; used: number }[]).find((one) => one.quota === 'apiKeys')!
  }
  const { used } = await quota()
  const generate = (at: number) =>
    call('POST', '/api/core/apikeys/generate', headers, JSON.stringify({ name: `Race ${at}` }))
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => generate(at)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(KEYS_MAX - used)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer.status).toBe(409)
    expect(asJson(answer).details).toMatchObject({ reason: 'quota_exceeded', limit: KEYS_MAX, used: KEYS_MAX })
  }
  expect(await quota()).toEqual({ quota: 'apiKeys', limit: KEYS_MAX, used: KEYS_MAX })
})

test('wallets that an agent is asked for and registered ones take the places of one quota, in turns', async () => {
  const headers = { Authorization: `Bearer ${await ownerToken()}`, 'Content-Type': 'application/json' }
  const send = async (path: string, body: object) =>
    (await call('POST', path, headers, JSON.stringify({ ...body, blockchain: 'polygon', label: 'Hot' }))).status
  const ask = () => send('/api/core/custody/actions/create-wallet', {})
  const add = (at: number) => send('/api/core/org-wallets', { address: `0x${String(at).padStart(40, '0')}` })
  expect([await ask(), await ask()]).toEqual([201, 201])
  expect((await Promise.all([1, 2, 3].map(add))).sort()).toEqual([201, 409, 409])
  expect([await ask(), await add(9)]).toEqual([409, 409])
})

describe('on the TLS port', () => {
  test('plain HTTP gets no response', async () => {
    const socket = client.plain()
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(await received(socket)).not.toContain('HTTP/1.1')
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused', async (version) => {
    const old = { minVersion: 'TLSv1', maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }
    await expect(client.secure(old)).rejects.toThrow(/alert|version|protocol/i)
  })

  test('a client cannot renegotiate again and again', async () => {
    const socket = await client.secure({ maxVersion: 'TLSv1.2' })
    const closed = received(socket)
    let renegotiations = 0
    const again = (): void => {
      if (socket.destroyed) return
      socket.renegotiate({}, (error) => {
        if (error) return
        renegotiations += 1
        again()
      })
    }
    again()
    await closed
    expect(renegotiations).toBeLessThanOrEqual(4)
  })

  test('a hundred handshakes that hang hold nobody up', async () => {
    const hanging = Array.from({ length: 100 }, () => client.plain())
    for (const socket of hanging) socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]))
    expect((await call('GET', '/ready')).status).toBe(200)
  })
})

test('two hundred requests that never end, in their headers or their bodies, hold nobody up', async () => {
  const slow = await Promise.all(Array.from({ length: 200 }, () => client.secure()))
  for (const [at, socket] of slow.entries()) {
    const isBody = at % 2 === 0
    socket.write(
      isBody
        ? 'POST /v1/wallets/register HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{'
        : 'GET /health HTTP/1.1\r\nHost: a\r\nX: ',
    )
  }
  for (let round = 0; round < 5; round++) {
    for (const socket of slow) socket.write('a')
    expect((await call('GET', '/ready')).status).toBe(200)
  }
})

test.each([50, 1_000])('%i requests in one packet are served in their order, or the connection ends', async (count) => {
  const one = (at: number) => `GET /health HTTP/1.1\r\nHost: a\r\nx-request-id: n${at}\r\n`
  const last = 'Connection: close\r\n'
  const all = Array.from({ length: count }, (_, at) => `${one(at)}${at === count - 1 ? last : ''}\r\n`)
  const text = await send(all.join(''))
  const ids = [...text.matchAll(/x-request-id: n(\d+)/g)].map(([, id]) => Number(id))
  expect(ids).toEqual(ids.map((_, at) => at))
  // Over TLS, Node ends a connection whose requests arrive faster than its responses are read.
  if (count === 50) expect(ids).toHaveLength(50)
})
