import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWebhooks, Weir } from '../../../packages/sdk/src/index.ts'
import { blockOf } from '../../server/system/documents/documented-blocks.ts'
import {
  createDataDir,
  environmentOf,
  type ServiceProcess,
  startProcess,
} from '../../server/system/processes/service-process.ts'
import { openBreak } from '../../server/testing/ledger/open-break.ts'
import { until } from '../../server/testing/until.ts'
import { createAccount } from '../../server/tour/account.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

let folder: Awaited<ReturnType<typeof createDataDir>>
let service: ServiceProcess
beforeAll(async () => {
  folder = await createDataDir()
  service = await startProcess({ DATA_DIR: folder.path, RATE_LIMIT_MULTIPLIER: '100' })
})
afterAll(async () => {
  await service?.end()
  await folder.remove()
})

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [MAIN, ...args], {
    env: environmentOf({ DATA_DIR: folder.path, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a command to its end, as a separate process. */
async function weir(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = start(args, env)
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { out, err, code: code as number }
}

/** Those of the sandbox. */
function credentials() {
  const text = readFileSync(join(folder.path, 'sandbox-credentials.json'), 'utf8')
  return JSON.parse(text) as { email: string; password: string; organizationApiKey: string }
}

/** A new wallet with open breaks of 5 USDC each; returns their ids. */
async function openBreaks(count = 1) {
  const client = new Weir({ baseUrl: service.url, apiKey: credentials().organizationApiKey })
  const { address: walletAddress } = await createAccount('polygon')
  const { walletId } = await client.v1.wallets.register({ walletAddress, blockchain: 'polygon' })
  return { walletAddress, ids: await openBreak(folder.path, walletId, count) }
}

/** Where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

test('doctor finds nothing wrong with the service that runs, and exits with 0', async () => {
  const { port } = new URL(service.url)
  const { out, err, code } = await weir(['doctor', '--json'], { PORT: port })
  const { ok, sections } = JSON.parse(out) as {
    ok: boolean
    sections: { name: string; findings: { status: string; message: string }[] }[]
  }
  const found = sections.flatMap(({ findings }) => findings)
  expect(found.filter(({ status }) => status === 'problem')).toEqual([])
  expect({ ok, err, code }).toEqual({ ok: true, err: '', code: 0 })
  expect(sections.map(({ name }) => name)).toEqual(['Settings', 'Database', 'Chains', 'Secrets', 'Host'])
  expect(found.map(({ message }) => message)).toContain('all migrations are applied')
  expect(found.map(({ message }) => message)).toContain(`a service runs on ${service.url} and is ready`)
})

test('doctor agent checks the key, the chains, the signer and the journal of an agent, and writes nothing', async () => {
  const created = await weir(['keys', 'create', 'Agent', '--permission', 'agent', '--json'])
  const { apiKey } = JSON.parse(created.out) as { apiKey: string }
  const AGENT_DIR = join(folder.path, 'agent')
  const settings = { WEIR_URL: service.url, WEIR_API_KEY: apiKey, KEYSTORE_PASSPHRASE: 'correct horse', AGENT_DIR }
  const { out, err, code } = await weir(['doctor', 'agent'], settings)
  expect({ err, code }, out).toEqual({ err: '', code: 0 })
  expect(out).toContain(`${service.url} responds`)
  expect(out).toContain('WEIR_API_KEY has the permission agent, and no other')
  for (const chain of ['ethereum', 'polygon', 'base', 'solana']) expect(out).toContain(`${chain}: the right chain`)
  expect(out).toContain(`skipped  ${join(AGENT_DIR, 'keys')}: the first start creates it`)
  expect(existsSync(AGENT_DIR)).toBe(false)
  const wider = await weir(['doctor', 'agent'], { ...settings, WEIR_API_KEY: credentials().organizationApiKey })
  expect(wider.out).toContain('WEIR_API_KEY can do more than the agent needs')
  const unknown = await weir(['doctor', 'agent'], { ...settings, WEIR_API_KEY: `${apiKey}x` })
  expect(unknown).toMatchObject({ code: 1, out: expect.stringContaining('PROBLEM  WEIR_API_KEY does not work') })
})

test('doctor says what to do about an unavailable database and endpoint, exits with 1, and prints no password', async () => {
  const closed = await closedPort()
  const { out, err, code } = await weir(['doctor'], {
    DATABASE_URL: `postgres://weir:hunter2hunter2@127.0.0.1:${closed}/weir`,
    POLYGON_RPC_URL: `http://127.0.0.1:${closed}/key-of-a-customer`,
  })
  expect({ err, code }).toEqual({ err: '', code: 1 })
  expect(out).toMatch(/PROBLEM {2}cannot be used: .*\n(?: +.*\n)*? +→ check DATABASE_URL/)
  expect(out).toMatch(/PROBLEM {2}polygon, 127\.0\.0\.1:\d+: ECONNREFUSED\n +→ check POLYGON_RPC_URL/)
  expect(out).not.toMatch(/hunter2|customer/)
  expect(out).not.toContain('\u001b')
})

test('a key is created, listed, rotated and revoked by the owner of the sandbox, whose session ends', async () => {
  const created = await weir(['keys', 'create', 'Reports', '--permission', 'read', '--json'])
  expect(created, created.out).toMatchObject({ err: '', code: 0 })
  const { id, permissions } = JSON.parse(created.out) as { id: number; permissions: string[] }
  expect(permissions).toEqual(['read'])
  expect((await weir(['keys', 'list'])).out).toMatch(new RegExp(`^${id} +Reports +organization +read `, 'm'))
  const rotated = await weir(['keys', 'rotate', String(id), '--overlap', '0'])
  expect(rotated.out).toMatch(/^\w+\nkey \d+; it is shown only this time\nkey \d+ works for another 0 seconds\n$/)
  const [key = ''] = rotated.out.split('\n')
  const newId = /key (\d+);/.exec(rotated.out)![1]!
  expect(await weir(['keys', 'revoke', newId, '--yes'])).toMatchObject({ out: `key ${newId} is revoked\n`, code: 0 })
  // The revoked key reaches nothing, and the refusal is an exit code and one line.
  const refused = await weir(['logs', 'tail'], { WEIR_API_KEY: key, WEIR_URL: service.url })
  expect(refused).toMatchObject({ out: '', code: 3 })
  expect(refused.err).toMatch(/^weir: the service returned 40[13] \w+: .*; request \S+\n$/m)
})

test('a break is listed, shown, and accepted with a reason, as operating.md shows it', async () => {
  const { walletAddress, ids } = await openBreaks()
  const id = String(ids[0])
  const wallet = `${walletAddress.slice(0, 6)}…${walletAddress.slice(-4)}`
  const listed = await weir(['breaks', 'list', '--state', 'open'])
  expect(listed.out).toMatch(new RegExp(`^${id} +open +${wallet} +polygon +5\\.00 USDC +20\\S+Z$`, 'm'))
  const [, reason = ''] = /weir breaks accept \$ID --reason "(.+)"/.exec(
    blockOf('docs/operating.md', 'weir breaks').code,
  )!
  // Nobody could answer here, so nothing is accepted.
  expect(await weir(['breaks', 'accept', id, '--reason', reason])).toMatchObject({ out: '', code: 2 })
  const open = await weir(['breaks', 'show', id])
  expect(open.out).toMatch(new RegExp(`^missing +5\\.00 USDC\n.*\naddress +${walletAddress} on polygon$`, 'm'))
  expect(open.out).toContain(`to accept it: weir breaks accept ${id} --reason "..."`)
  expect(await weir(['breaks', 'accept', id, '--reason', reason, '--yes'])).toEqual({
    out: `break ${id} is accepted: 5.00 USDC missing in ${wallet} on polygon\n`,
    err: '',
    code: 0,
  })
  const accepted = JSON.parse((await weir(['breaks', 'show', id, '--json'])).out)
  expect(accepted).toMatchObject({ status: 'accepted', amountBaseUnits: '5000000', acceptedReason: reason })
  expect((await weir(['breaks', 'show', id])).out).toMatch(
    new RegExp(`^accepted +20.* by user \\d+\nreason +${reason}$`, 'm'),
  )
  const again = await weir(['breaks', 'accept', id, '--reason', reason, '--yes'])
  expect(again).toMatchObject({ out: '', code: 3, err: expect.stringContaining('409 CONFLICT') })
  const unknown = await weir(['breaks', 'show', String(2 ** 40), '--json'])
  expect(unknown.code).toBe(3)
  expect(JSON.parse(unknown.out)).toMatchObject({ error: { code: 'NOT_FOUND' } })
})

test('the list of breaks has as many as wanted, over several pages, and says how many there are', async () => {
  const { ids } = await openBreaks(101)
  const newest = String(Math.max(...ids))
  const { total, open } = JSON.parse((await weir(['breaks', 'list', '--limit', '1', '--json'])).out)
  expect(open).toBeGreaterThan(100)
  const short = (await weir(['breaks', 'list', '--limit', '1'])).out.trimEnd().split('\n')
  expect(short).toEqual([
    expect.stringMatching(/^ID +STATE/),
    expect.stringMatching(new RegExp(`^${newest} +open `)),
    `1 of ${total}; --limit ${total} lists all`,
  ])
  const every = JSON.parse((await weir(['breaks', 'list', '--limit', String(total), '--json'])).out)
  expect(new Set(every.breaks.map((each: { id: number }) => each.id)).size).toBe(total)
  expect((await weir(['breaks', 'list', '--state', 'closed'])).out).toBe('there are no breaks that are closed\n')
})

test('a service account reads breaks and accepts none', async () => {
  const { ids } = await openBreaks()
  const { email, password } = credentials()
  const client = new Weir({ baseUrl: service.url })
  const session = await client.core.auth.logIn({ email, password })
  const owner = new Weir({
    baseUrl: service.url,
    accessToken: String((session as { accessToken: string }).accessToken),
  })
  const account = await owner.core.serviceAccounts.create({ name: 'Monitoring', role: 'viewer' })
  const as = { WEIR_ACCESS_TOKEN: String((account as { secret: string }).secret) }
  expect(await weir(['breaks', 'show', String(ids[0])], as)).toMatchObject({ err: '', code: 0 })
  const refused = await weir(['breaks', 'accept', String(ids[0]), '--reason', 'Unseen.', '--yes'], as)
  expect(refused).toMatchObject({ out: '', code: 3, err: expect.stringContaining('403 FORBIDDEN') })
})

test('listen forwards an event that is triggered, signed with the secret that it prints, and ends on Ctrl-C', async () => {
  const received: { headers: IncomingHttpHeaders; body: string; url: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request), url: request.url })
    response.end('got it')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/weir?tenant=7`
  const listener = start(['listen', '--events', 'operation.*', '--forward-to', target])
  const output = { out: '', err: '' }
  listener.stdout.setEncoding('utf8').on('data', (part: string) => {
    output.out += part
  })
  listener.stderr.setEncoding('utf8').on('data', (part: string) => {
    output.err += part
  })
  const ended = once(listener, 'close')
  try {
    await until(async () => output.err.includes('ready'))
    const triggered = await weir(['trigger', 'operation.created', '--json'])
    expect(triggered, triggered.err + triggered.out).toMatchObject({ code: 0 })
    await until(async () => output.out.includes('operation.created'))
    const secret = (await weir(['listen', '--print-secret'])).out.trim()
    const { headers, body, url } = received[0]!
    expect(url).toBe('/weir?tenant=7')
    const { event, id } = await createWebhooks(secret).unwrap(body, headers)
    expect(event).toBe('operation.created')
    expect(output.out).toMatch(
      new RegExp(`operation.created +${id} +200 +\\d+ ms +${target.replace('?', '\\?')} +got it`),
    )
    expect(output.err).toContain(secret)
  } finally {
    listener.kill('SIGINT')
    const [code] = await ended
    server.close()
    server.closeAllConnections()
    expect(code).toBe(0)
  }
})

test('listen is not ready with a key that the service refuses', async () => {
  const listen = ['listen', '--forward-to', 'http://127.0.0.1:9', '--url', service.url]
  const { out, err, code } = await weir(listen, { WEIR_API_KEY: `${credentials().organizationApiKey}x` })
  expect({ out, code }).toEqual({ out: '', code: 3 })
  expect(err).toMatch(/^weir: the service returned 401 \w+: .*\n$/)
})

test('customers are verified and refused again and again, also once the organization is verified', async () => {
  for (const event of ['customer.approved', 'customer.declined', 'customer.approved']) {
    const triggered = await weir(['trigger', event, '--json'])
    expect(triggered, triggered.err + triggered.out).toMatchObject({ code: 0 })
  }
})

test('logs tail prints events and audit entries, one JSON value per line, and ends on Ctrl-C', async () => {
  expect(await weir(['trigger', 'operation.created'])).toMatchObject({ code: 0 })
  const wanted = { events: 'operation.created', audit: 'planSupply' }
  const tails = Object.entries(wanted).map(([source, word]) => ({
    child: start(['logs', 'tail', '--source', source, '--after', '0', '--json']),
    word,
  }))
  await Promise.all(
    tails.map(async ({ child, word }) => {
      let out = ''
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        out += part
      })
      const ended = once(child, 'close')
      try {
        await until(async () => out.includes(word))
        for (const line of out.split('\n').slice(0, -1))
          expect(JSON.parse(line)).toMatchObject({ id: expect.anything() })
      } finally {
        child.kill('SIGINT')
        expect((await ended)[0]).toBe(0)
      }
    }),
  )
})

test('commands of the host work next to the service, as text and as JSON', async () => {
  const { out, code } = await weir(['audit', 'verify', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ whole: true })
  const invitation = await weir(['invite', 'owner@example.com', '--json'])
  expect(JSON.parse(invitation.out)).toMatchObject({ email: 'owner@example.com', invitation: expect.any(String) })
  const pending = await weir(['migrate', '--pending', '--json'])
  expect(JSON.parse(pending.out), pending.err).toEqual({ pending: [], unknown: [] })
  const nobody = await weir(['owner', 'recover', 'nobody@example.com', '--yes'])
  expect(nobody).toMatchObject({ out: '', code: 3 })
  expect(nobody.err).toMatch(/^weir: .+\n$/m)
})

const hasScript = spawnSync('script', ['--version']).status === 0
if (!hasScript)
  process.stderr.write('apps/cli/system/cli.test.ts: no `script` here, so nothing is tested in a terminal\n')

/** Runs a command in a real terminal of 80 columns, and types `keys` once it asks. */
async function inTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}, keys = '') {
  const quoted = [process.execPath, MAIN, ...args].map((part) => `'${part}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols 80; ${quoted}`, '/dev/null'], {
    env: { ...environmentOf({ DATA_DIR: folder.path, ...env }), TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const isAsked = out.includes('?')
    out += part
    if (keys !== '' && !isAsked && out.includes('?')) child.stdin.write(keys)
  })
  const [code] = await once(child, 'close')
  return { out: out.replaceAll('\r\n', '\n'), code: code as number }
}

test.skipIf(!hasScript)(
  'in a terminal the report has colors and fits its columns, unless NO_COLOR is set',
  async () => {
    const colored = await inTerminal(['doctor'])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control characters
    const plain = colored.out.replaceAll(/\u001b\[\d+m/g, '')
    expect(colored.out).not.toBe(plain)
    for (const line of plain.split('\n')) if (!line.includes(folder.path)) expect(line.length).toBeLessThanOrEqual(80)
    expect((await inTerminal(['doctor'], { NO_COLOR: '1' })).out).not.toContain('\u001b')
  },
)

test.skipIf(!hasScript)('in a terminal a command asks before it revokes, and does what the answer says', async () => {
  const { id } = JSON.parse((await weir(['keys', 'create', 'Asked', '--json'])).out) as { id: number }
  const isListed = async () => / Asked /.test((await weir(['keys', 'list'])).out)
  await inTerminal(['keys', 'revoke', String(id)], {}, 'n')
  expect(await isListed()).toBe(true)
  const { out, code } = await inTerminal(['keys', 'revoke', String(id)], {}, 'y')
  expect({ code, isListed: await isListed() }, out).toEqual({ code: 0, isListed: false })
})

test.skipIf(!hasScript)('in a terminal a break is accepted only after a yes to its amount', async () => {
  const { ids } = await openBreaks()
  const id = String(ids[0])
  const accept = ['breaks', 'accept', id, '--reason', 'A fee.']
  const statusOf = async () => JSON.parse((await weir(['breaks', 'show', id, '--json'])).out).status
  const declined = await inTerminal(accept, {}, 'n')
  expect(declined.out).toContain('5.00 USDC missing in')
  expect(declined.out).toContain('nothing was changed')
  expect(await statusOf()).toBe('open')
  const { out, code } = await inTerminal(accept, {}, 'y')
  expect({ code, status: await statusOf() }, out).toEqual({ code: 0, status: 'accepted' })
})
