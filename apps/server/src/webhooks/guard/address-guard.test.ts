import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowedHosts } from '../../config/allowed-hosts.ts'
import { sendWebhook } from '../delivery/send-webhook.ts'
import type { AddressRules } from './address-rules.ts'
import { urlProblem } from './check-url.ts'
import { createGuardedAgent } from './guarded-agent.ts'
import { createHostResolver, type ResolveHost } from './resolve-host.ts'

const LIVE: AddressRules = { allowLocal: false, allowed: [] }
const SANDBOX: AddressRules = { allowLocal: true, allowed: [] }

/** Names as an attacker's name server resolves them: `all` at once, or one list after the other. */
const NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'localhost.attacker.example': [['127.0.0.1']],
  'private.attacker.example': [['10.0.0.5']],
  'metadata.attacker.example': [['169.254.169.254']],
  'mapped.attacker.example': [['::ffff:10.0.0.5']],
  'ula.attacker.example': [['fd12:3456::1']],
  'mixed.attacker.example': [['93.184.216.34', '192.168.0.7']],
  'second.attacker.example': [['2606:2800:220:1::1', '::1']],
  'cloud.attacker.example': [['168.63.129.16']],
  'rebinding.attacker.example': [['127.0.0.1'], ['93.184.216.34']],
  'empty.attacker.example': [[]],
  'nonsense.attacker.example': [['not an address']],
}

let port = 0
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  if (request.url === '/redirect') response.writeHead(302, { location: '/target' })
  response.end('ok')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function resolver(): ResolveHost {
  const looks = new Map<string, number>()
  return async (host) => {
    const answers = NAMES[host] ?? []
    const look = looks.get(host) ?? 0
    looks.set(host, look + 1)
    const answer = answers[Math.min(look, answers.length - 1)] ?? []
    return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
}

const message = (url: string) => {
  return { url, id: 'evt_1', at: new Date('2026-01-01T00:00:00Z'), body: '{}', secrets: ['whsec_c2VjcmV0'] }
}

/** Sends without the check of the URL, so the check of the connection decides. */
async function sendVia(rules: AddressRules, url: string, resolve = resolver()) {
  const agent = createGuardedAgent(rules, resolve)
  try {
    return await sendWebhook({ agent, rules }, message(url))
  } finally {
    await agent.destroy()
  }
}

/** Targets that no webhook may reach in live, each with the trick it tries. */
const TARGETS: readonly (readonly [why: string, url: string])[] = [
  ['loopback', 'https://127.0.0.1/'],
  ['loopback, another one', 'https://127.8.9.10/'],
  ['loopback, IPv6', 'https://[::1]/'],
  ['loopback, IPv6 at length', 'https://[0:0:0:0:0:0:0:1]/'],
  ['loopback by name', 'https://localhost/'],
  ['loopback by name with a dot', 'https://localhost./'],
  ['loopback by a name below it', 'https://hooks.localhost/'],
  ['loopback in capitals', 'https://LOCALHOST/'],
  ['this host', 'https://0.0.0.0/'],
  ['this network', 'https://0.1.2.3/'],
  ['unspecified, IPv6', 'https://[::]/'],
  ['zero', 'https://0/'],
  ['private, class A', 'https://10.0.0.1/'],
  ['private, class A, last', 'https://10.255.255.255/'],
  ['private, class B', 'https://172.16.0.1/'],
  ['private, class B, last', 'https://172.31.255.254/'],
  ['private, class C', 'https://192.168.1.1/'],
  ['carrier-grade NAT', 'https://100.64.0.1/'],
  ['a metadata service in carrier-grade NAT', 'https://100.100.100.200/'],
  ['link-local', 'https://169.254.1.1/'],
  ['metadata', 'https://169.254.169.254/latest/meta-data/'],
  ['metadata of containers', 'https://169.254.170.2/'],
  ['metadata, IPv6', 'https://[fd00:ec2::254]/'],
  ['metadata by name', 'https://metadata.google.internal/'],
  ['a cloud’s wire server', 'https://168.63.129.16/'],
  ['protocol assignments', 'https://192.0.0.192/'],
  ['documentation', 'https://192.0.2.1/'],
  ['6to4 relay', 'https://192.88.99.1/'],
  ['benchmarks', 'https://198.18.0.1/'],
  ['documentation, second', 'https://198.51.100.1/'],
  ['documentation, third', 'https://203.0.113.1/'],
  ['multicast', 'https://224.0.0.1/'],
  ['multicast, last', 'https://239.255.255.255/'],
  ['reserved', 'https://240.0.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['decimal loopback', 'https://2130706433/'],
  ['hexadecimal loopback', 'https://0x7f000001/'],
  ['hexadecimal parts', 'https://0x7f.0x0.0x0.0x1/'],
  ['octal loopback', 'https://0177.0.0.1/'],
  ['octal in one number', 'https://017700000001/'],
  ['short loopback', 'https://127.1/'],
  ['short private', 'https://10.1/'],
  ['decimal metadata', 'https://2852039166/'],
  ['hexadecimal metadata', 'https://0xa9fea9fe/'],
  ['octal metadata', 'https://0251.0376.0251.0376/'],
  ['escaped digits', 'https://%31%32%37.0.0.1/'],
  ['full-width digits', 'https://１２７.０.０.１/'],
  ['circled digits', 'https://①②⑦.⓪.⓪.①/'],
  ['ideographic full stops', 'https://127。0。0。1/'],
  ['a dot behind the address', 'https://127.0.0.1./'],
  ['mapped loopback', 'https://[::ffff:127.0.0.1]/'],
  ['mapped loopback, hexadecimal', 'https://[::ffff:7f00:1]/'],
  ['mapped private', 'https://[::ffff:10.0.0.1]/'],
  ['mapped metadata', 'https://[::ffff:a9fe:a9fe]/'],
  ['translated loopback (SIIT)', 'https://[::ffff:0:127.0.0.1]/'],
  ['compatible loopback', 'https://[::127.0.0.1]/'],
  ['NAT64 of loopback', 'https://[64:ff9b::127.0.0.1]/'],
  ['NAT64 of metadata', 'https://[64:ff9b::a9fe:a9fe]/'],
  ['NAT64 of a network’s own', 'https://[64:ff9b:1::a00:1]/'],
  ['6to4 of private', 'https://[2002:a00:1::]/'],
  ['6to4 of loopback', 'https://[2002:7f00:1::]/'],
  ['Teredo', 'https://[2001:0:7f00:1::]/'],
  ['unique local', 'https://[fc00::1]/'],
  ['unique local, second half', 'https://[fd12:3456:789a::1]/'],
  ['link-local, IPv6', 'https://[fe80::1]/'],
  ['site-local', 'https://[fec0::1]/'],
  ['multicast, IPv6', 'https://[ff02::1]/'],
  ['documentation, IPv6', 'https://[2001:db8::1]/'],
  ['documentation, IPv6, new', 'https://[3fff::1]/'],
  ['discard', 'https://[100::1]/'],
  ['segment routing', 'https://[5f00::1]/'],
  ['not given out', 'https://[4000::1]/'],
  ['plain http', 'http://93.184.216.34/'],
  ['plain http to a name', 'http://hooks.example.com/'],
  ['another protocol', 'ftp://hooks.example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['a program', 'javascript:alert(1)'],
  ['a user in front of the host', 'https://hooks.example.com@127.0.0.1/'],
  ['a user and a password', 'https://user:password@hooks.example.com/'],
  ['a backslash', 'https:\\\\127.0.0.1\\'],
  ['an escaped @', 'https://hooks.example.com%40127.0.0.1/'],
  ['no host', 'https:///'],
  ['a name without a dot', 'https://intranet/'],
  ['a name of a local network', 'https://printer.local/'],
  ...Object.keys(NAMES).map((name) => [`what ${name} resolves to`, `https://${name}/`] as const),
]

describe('webhook targets in live', () => {
  test.each(TARGETS)('never include %s: %s', async (_why, url) => {
    const outcome = await sendVia(LIVE, url)
    expect(outcome).toMatchObject({ ok: false, statusCode: null })
    // Rejected by the guard, and not merely unreachable from here.
    expect(outcome.error).toMatch(/^The URL must|^The address is private/)
  })

  test('there are at least 60 kinds of them', () => {
    expect(TARGETS.length).toBeGreaterThanOrEqual(60)
    expect(new Set(TARGETS.map(([, url]) => url)).size).toBe(TARGETS.length)
  })
})

test('connections are checked even if the URL was not', async () => {
  for (const host of ['127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254']) {
    const agent = createGuardedAgent(LIVE, resolver())
    await expect(agent.request({ origin: `https://${host}`, path: '/', method: 'GET' })).rejects.toThrow('is refused')
    await agent.destroy()
  }
  const agent = createGuardedAgent(LIVE, resolver())
  const plain = agent.request({ origin: 'http://93.184.216.34', path: '/', method: 'GET' })
  await expect(plain).rejects.toThrow('is refused')
  await agent.destroy()
})

test('a name is looked up once, and the connection uses the checked address', async () => {
  let looks = 0
  const flipping: ResolveHost = async () => {
    looks += 1
    return [{ address: looks === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
  }
  expect(await sendVia(SANDBOX, `http://flip.example:${port}/`, flipping)).toMatchObject({ ok: true })
  expect(looks).toBe(1)
})

test('an unknown name is reported as unknown, with any resolver', async () => {
  for (const rules of [LIVE, SANDBOX]) {
    const outcome = await sendVia(rules, 'https://nobody.invalid/', createHostResolver(rules))
    expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(/^The host name/) })
  }
})

test('public addresses and names are permitted in live', () => {
  for (const url of ['https://hooks.example.com/in', 'https://93.184.216.34/', 'https://[2606:2800:220:1::1]:8443/x']) {
    expect(urlProblem(LIVE, url), url).toBeUndefined()
  }
})

describe('in sandbox', () => {
  test('loopback and plain http are permitted, by address and by name', async () => {
    for (const host of ['127.0.0.1', 'localhost.attacker.example', '[::ffff:127.0.0.1]']) {
      expect(await sendVia(SANDBOX, `http://${host}:${port}/`), host).toMatchObject({ ok: true, statusCode: 200 })
    }
  })

  test('nothing else is: neither private networks nor metadata services', async () => {
    const closed = ['10.0.0.1', '192.168.1.1', '169.254.169.254', '[fd00:ec2::254]', '[64:ff9b::7f00:1]', '0.0.0.0']
    for (const host of [...closed, 'private.attacker.example', 'mixed.attacker.example']) {
      const outcome = await sendVia(SANDBOX, `http://${host}/`)
      expect(outcome.error, host).toMatch(/must not lead|is private/)
    }
  })

  test('redirects are not followed', async () => {
    asked.length = 0
    const outcome = await sendVia(SANDBOX, `http://127.0.0.1:${port}/redirect`)
    expect(outcome).toMatchObject({ ok: false, statusCode: 302, error: 'Redirects are not followed.' })
    expect(asked).toEqual(['/redirect'])
  })
})

test('another protocol is rejected with the list of permitted ones', () => {
  for (const url of ['ftp://hooks.example/', 'file:///etc/passwd', 'data:,x']) {
    expect(urlProblem(SANDBOX, url), url).toBe('must begin with https:// or http://')
    expect(urlProblem(LIVE, url), url).toBe('must begin with https://')
  }
})

describe('the operator’s list', () => {
  const allowing = (text: string): AddressRules => ({ allowLocal: false, allowed: allowedHosts(text) })

  test('permits what it names, and nothing else', () => {
    const rules = allowing('10.1.0.0/16, 192.168.7.7, fd00:1::/32, hooks.internal')
    const open = ['10.1.2.3', '192.168.7.7', '[fd00:1::5]', 'hooks.internal', '[::ffff:10.1.2.3]']
    for (const host of open) expect(urlProblem(rules, `https://${host}/`), host).toBeUndefined()
    const closed = ['10.2.0.1', '192.168.7.8', '[fd00:2::5]', 'other.internal', '127.0.0.1', '169.254.169.254']
    for (const host of closed) expect(urlProblem(rules, `https://${host}/`), host).toMatch(/must not lead/)
    expect(urlProblem(rules, 'http://10.1.2.3/')).toBe('must begin with https://')
  })

  test('a host on it may resolve to a private address, and no other host may', async () => {
    const rules = { allowLocal: true, allowed: allowedHosts('private.attacker.example') }
    const agent = createGuardedAgent(rules, async () => [{ address: '127.0.0.1', family: 4 }])
    expect(await sendWebhook({ agent, rules }, message(`http://private.attacker.example:${port}/`))).toMatchObject({
      ok: true,
    })
    await agent.destroy()
    const strict = { ...rules, allowLocal: false }
    const other = await sendVia(strict, 'https://metadata.attacker.example/')
    expect(other.error).toMatch(/is private/)
  })

  test('the address that was reached is checked again, by the rules of that moment', async () => {
    let allowLocal = true
    const rules = {
      get allowLocal() {
        return allowLocal
      },
      allowed: [],
    }
    let reads = 0
    // The guard reads the address once to check it, and once more to connect.
    const rebound = {
      get address() {
        reads += 1
        if (reads > 1) allowLocal = false
        return '127.0.0.1'
      },
      family: 4,
    }
    const agent = createGuardedAgent(rules, async () => [rebound])
    const sent = await agent
      .request({ origin: `http://localhost:${port}`, path: '/', method: 'GET' })
      .then(({ statusCode }) => statusCode)
      .catch((error: Error) => error)
    expect(sent).toMatchObject({ name: 'AddressRefused', message: 'localhost led to 127.0.0.1' })
    await agent.destroy()
  })

  test('is rejected if it is malformed', () => {
    for (const text of ['10.0.0.0/33', '10.1', '0x7f.1', 'a b', 'a,,b', '-x', 'http://a.example', '*']) {
      expect(() => allowedHosts(text), text).toThrow('must be hosts')
    }
  })
})
