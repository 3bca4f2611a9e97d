import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { testServer } from '../server/test-server.ts'

interface Entry {
  readonly name: string
  readonly title: string
}

const built = new URL('../../../../../docs/dist/', import.meta.url)
const { pages } = JSON.parse(readFileSync(new URL('site.json', built), 'utf8')) as { pages: readonly Entry[] }

let app: App
beforeAll(async () => {
  ;({ app } = await testServer(() => {}, { rateLimitMultiplier: 100, publicUrl: 'https://weir.example' }))
})
afterAll(() => app.close())

const browser = { accept: 'text/html', 'accept-encoding': 'gzip, br' }
const addressOf = ({ name }: Entry) => (name === 'index' ? '/docs/' : `/docs/${name}`)

test('every page is served as HTML and as Markdown, and its frame names it', async () => {
  expect(pages.length).toBeGreaterThan(100)
  for (const page of pages) {
    const { statusCode, headers, body } = await app.inject(addressOf(page))
    expect([statusCode, headers['content-type']], page.name).toEqual([200, 'text/html; charset=utf-8'])
    expect(body, page.name).toMatch(/<h1 id="/)
    expect(body, page.name).not.toMatch(/%[A-Z]+%/)
    const markdown = await app.inject(`/docs/${page.name}.md`)
    expect([markdown.statusCode, markdown.headers['content-type']], page.name).toEqual([
      200,
      'text/markdown; charset=utf-8',
    ])
    expect(markdown.body, page.name).toMatch(/^# |\n# /)
  }
})

test('no page runs or applies anything inline, or names another host to load from', async () => {
  for (const page of pages) {
    const { body, headers } = await app.inject(addressOf(page))
    expect(body, page.name).not.toMatch(/<style|\sstyle=|\son[a-z]+="|javascript:|<iframe|<object|<base/i)
    const scripts = [...body.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)]
    for (const [, attributes, code] of scripts)
      expect([attributes, code]).toEqual([expect.stringMatching(/ ?src="\/docs\/assets\//), ''])
    const loaded = [...body.matchAll(/<(?:img|script|source|link)\b[^>]*?(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url,
    )
    expect(
      loaded.filter((url) => !url!.startsWith('/docs/')),
      page.name,
    ).toEqual([])
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data: blob:;font-src 'self' data:;" +
        "connect-src 'self';worker-src 'self' blob:;base-uri 'none';form-action 'self';frame-ancestors 'none';" +
        "trusted-types default;require-trusted-types-for 'script'",
    )
  }
})

test('every link from page to page, and every file that a page loads, is served', async () => {
  const addresses = new Map(pages.map((page) => [addressOf(page), page]))
  const ids = new Map<string, Set<string>>()
  const links: [page: string, address: string, anchor: string][] = []
  const files = new Set<string>()
  for (const page of pages) {
    const { body } = await app.inject(addressOf(page))
    ids.set(addressOf(page), new Set([...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)))
    for (const [, address = '', anchor = ''] of body.matchAll(/<a\b[^>]*?href="([^"#]*)#?([^"]*)"/g))
      links.push([addressOf(page), address === '' ? addressOf(page) : address, anchor])
    for (const [, file] of body.matchAll(/<(?:img|script|link)\b[^>]*?(?:src|href)="([^"]+)"/g)) files.add(file!)
  }
  const inside = links.filter(([, address]) => address.startsWith('/docs/') && !/\.md$|^\/docs\/api\/$/.test(address))
  expect(inside.length).toBeGreaterThan(5_000)
  const broken = inside.filter(
    ([, address, anchor]) =>
      !addresses.has(address) || (anchor !== '' && !ids.get(address)?.has(decodeURIComponent(anchor))),
  )
  expect(broken).toEqual([])
  expect(files.size).toBeGreaterThan(100)
  for (const file of files) expect((await app.inject(file)).statusCode, file).toBe(200)
})

test('links of the Markdown pages lead to Markdown pages', async () => {
  const names = new Set(pages.map(({ name }) => `/docs/${name}.md`))
  const broken: string[] = []
  for (const { name } of pages) {
    const { body } = await app.inject(`/docs/${name}.md`)
    const text = body.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
    for (const [, link = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?:|#)/.test(link)) continue
      const { pathname } = new URL(link, `https://weir.example/docs/${name}.md`)
      if (!names.has(pathname) && !/^\/docs\/(?:pictures\/|api\/$)/.test(pathname)) broken.push(`${name}: ${link}`)
    }
  }
  expect(broken).toEqual([])
})

describe('what is served', () => {
  test('compressed as the client accepts, and the same content each time', async () => {
    const plain = await app.inject('/docs/operations')
    const br = await app.inject({ url: '/docs/operations', headers: browser })
    const gzip = await app.inject({ url: '/docs/operations', headers: { 'accept-encoding': 'gzip' } })
    expect([plain, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(br.headers.vary).toBe('accept-encoding')
  })

  test('pages are checked each time and not sent again; assets with their hash are kept for a year', async () => {
    const first = await app.inject({ url: '/docs/operations', headers: browser })
    expect(first.headers['cache-control']).toBe('no-cache')
    const again = await app.inject({
      url: '/docs/operations',
      headers: { ...browser, 'if-none-match': String(first.headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const [asset = ''] = /\/docs\/assets\/site\.css\?v=\w+/.exec((await app.inject('/docs/')).body) ?? []
    expect((await app.inject(asset)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await app.inject('/docs/assets/site.css')).headers['cache-control']).toBe('no-cache')
  })

  test('only the files of the site, under any spelling of a path', async () => {
    for (const path of [
      'site.json',
      'shell.html',
      'pages/index.html',
      '../site.json',
      '..%2fsite.json',
      'assets/../site.json',
      'assets%2f..%2f..%2fpackage.json',
      'pictures/..%2fsite.json',
      'pictures/nothing.png',
      'nothing',
      'nothing.md',
      '__proto__',
      'constructor.md',
      'operations.html',
    ]) {
      const { statusCode, body } = await app.inject(`/docs/${path}`)
      expect([statusCode, JSON.parse(body).code], path).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('a browser gets a page for an address that does not exist', async () => {
    const { statusCode, headers, body } = await app.inject({ url: '/docs/nothing', headers: { accept: 'text/html' } })
    expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toContain('This page does not exist')
  })

  test('llms.txt names every page of the sidebar below the public address', async () => {
    const { body } = await app.inject('/llms.txt')
    expect(body).toMatch(/^# Weir\n\n> /)
    const links = [...body.matchAll(/\]\(https:\/\/weir\.example([^)]+)\)/g)].map(([, path]) => path!)
    expect(links).toContain('/docs/operations.md')
    expect(links.length).toBeGreaterThan(50)
    for (const link of links) expect((await app.inject(link)).statusCode, link).toBe(200)
    expect((await app.inject('/docs/llms.txt')).headers.location).toBe('/llms.txt')
  })
})

test('browsers find the icon where they ask for it without a page', async () => {
  const icon = await app.inject('/favicon.ico')
  expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(icon.body).toContain('<svg')
  expect(icon.body).toBe((await app.inject('/docs/assets/icon.svg')).body)
  expect(icon.headers['cache-control']).toBe('public, max-age=86400')
})

test('the start page lists every operation of the OpenAPI document', async () => {
  const { body } = await app.inject('/docs/')
  const { paths } = (await app.inject('/openapi.json')).json() as { paths: Record<string, Record<string, unknown>> }
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of Object.keys(operations)) expect(body).toContain(`<code>${method.toUpperCase()} ${path}</code>`)
  }
})

test('the API reference loads everything from this service and is allowed nothing else', async () => {
  const page = await app.inject('/docs/api/')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.headers['content-security-policy']).toContain("connect-src 'self'")
  expect([...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])).toEqual(['js/scalar.js'])
  expect(page.body).toContain('/openapi.json')
  const script = await app.inject('/docs/api/js/scalar.js')
  expect([script.statusCode, script.headers['cache-control']]).toEqual([200, 'public, max-age=86400'])
})

test('the script and the document of the API reference come compressed to clients that accept it', async () => {
  for (const url of ['/docs/api/js/scalar.js', '/openapi.json']) {
    const plain = await app.inject(url)
    const br = await app.inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br' } })
    expect([plain.headers['content-encoding'], br.headers['content-encoding']], url).toEqual([undefined, 'br'])
    expect(br.headers.vary).toContain('accept-encoding')
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(br.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length)
  }
})

test('old addresses lead to the new place of their content', async () => {
  for (const [from, to] of [
    ['/docs', '/docs/'],
    ['/docs/index', '/docs/'],
    ['/docs/operations/', '/docs/operations'],
    ['/docs/api', '/docs/api/'],
    ['/docs/js/scalar.js', '/docs/api/js/scalar.js'],
  ] as const) {
    const { statusCode, headers } = await app.inject(from)
    expect([statusCode, headers.location], from).toEqual([301, to])
  }
})
