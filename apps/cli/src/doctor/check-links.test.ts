import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../../../server/src/config.ts'
import { startSmtpServer, type TestSmtpServer } from '../../../server/testing/stand-ins/test-smtp-server.ts'
import { checkLinks } from './check-links.ts'
import { ok, problem, warning } from './findings.ts'

let smtp: TestSmtpServer | undefined
let listener: Server | undefined
const sockets = new Set<Socket>()
afterEach(async () => {
  await smtp?.close()
  for (const socket of sockets) socket.destroy()
  listener?.close()
  smtp = undefined
  listener = undefined
})

const found = (env: Record<string, string>, limitMs = 20_000) =>
  checkLinks(readConfig({ DATA_DIR: '/nowhere', ...env }), limitMs)
const mail = (url: string) => found({ SMTP_URL: url, MAIL_FROM: 'weir@example.com' })

/** A server that answers each command of Redis's protocol with `reply`; without one it stays silent. */
async function answering(reply = ''): Promise<number> {
  listener = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const _command of text.matchAll(/^\*\d/gm)) socket.write(reply)
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return (listener.address() as AddressInfo).port
}

async function closedPort(): Promise<number> {
  const port = await answering()
  listener?.close()
  await once(listener!, 'close')
  return port
}

test('nothing is asked where neither a mail server nor Redis is set', async () => {
  expect(await found({})).toEqual([])
})

test('a mail server that accepts the login is one line, and receives no email', async () => {
  smtp = await startSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'weir' && password === 'right' ? done(null, { user: 'weir' }) : done(new Error('no')),
  })
  const at = (password: string) => `smtp://weir:${password}@127.0.0.1:${smtp!.port}?tls=off`
  expect(await mail(at('right'))).toEqual([
    ok(`mail server 127.0.0.1:${smtp.port} accepts the connection and the login`),
  ])
  const [refused] = await mail(at('hunter2'))
  expect(refused).toMatchObject({
    status: 'problem',
    message: expect.stringContaining(`mail server 127.0.0.1:${smtp.port}: Invalid login`),
    remedy: 'correct the user and password in SMTP_URL',
  })
  expect(JSON.stringify(refused)).not.toContain('hunter2')
  expect(smtp.received).toEqual([])
})

test('a mail server that does not offer the required TLS, and one that is away, are problems', async () => {
  smtp = await startSmtpServer({ disabledCommands: ['STARTTLS'] })
  const [plain] = await mail(`smtp://127.0.0.1:${smtp.port}?tls=required`)
  expect(plain).toMatchObject({ status: 'problem', message: expect.stringContaining('TLS') })
  const port = await closedPort()
  expect(await mail(`smtp://127.0.0.1:${port}`)).toEqual([
    problem(
      `mail server 127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
      'check SMTP_URL, and that this host can reach the server',
    ),
  ])
})

test('Redis that answers is one line, and one that is away or refuses is a warning', async () => {
  const port = await answering('+PONG\r\n')
  expect(await found({ REDIS_URL: `redis://127.0.0.1:${port}` })).toEqual([ok(`Redis 127.0.0.1:${port} responds`)])
  listener?.close()
  const away = await closedPort()
  const consequence = 'check REDIS_URL; without Redis, each process counts rate limits by itself'
  expect(await found({ REDIS_URL: `redis://:hunter2@127.0.0.1:${away}` })).toEqual([
    warning(`Redis 127.0.0.1:${away}: connect ECONNREFUSED 127.0.0.1:${away}`, consequence),
  ])
  const closed = await answering('-NOAUTH Authentication required.\r\n')
  expect(await found({ REDIS_URL: `redis://127.0.0.1:${closed}` })).toEqual([
    warning(`Redis 127.0.0.1:${closed}: NOAUTH Authentication required.`, consequence),
  ])
})

test('servers that accept a connection and stay silent are reported after the limit', async () => {
  const port = await answering()
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'a@example.com',
    REDIS_URL: `redis://127.0.0.1:${port}`,
  }
  const silent = await found(env, 200)
  expect(silent.map(({ status, message }) => `${status}: ${message}`)).toEqual([
    `problem: mail server 127.0.0.1:${port}: no response within 0.2 s`,
    `warning: Redis 127.0.0.1:${port}: no response within 0.2 s`,
  ])
})

const hasRedis = spawnSync('redis-server', ['--version']).error === undefined
if (!hasRedis) process.stderr.write('SKIPPED: doctor is not tried with a real Redis, there is no redis-server\n')

test.skipIf(!hasRedis)('a real Redis accepts its password and refuses another', async () => {
  const port = await closedPort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', 'right', '--save', '']
  const redis = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    for await (const text of redis.stdout.setEncoding('utf8')) if (String(text).includes('Ready to accept')) break
    expect(await found({ REDIS_URL: `redis://:right@127.0.0.1:${port}` })).toEqual([
      ok(`Redis 127.0.0.1:${port} responds`),
    ])
    const [refused] = await found({ REDIS_URL: `redis://:hunter2@127.0.0.1:${port}` })
    expect(refused).toMatchObject({ status: 'warning', message: expect.stringContaining('WRONGPASS') })
    expect(JSON.stringify(refused)).not.toContain('hunter2')
  } finally {
    redis.kill()
    await once(redis, 'close')
  }
})
