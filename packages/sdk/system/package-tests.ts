import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import fileSize from '@size-limit/file'
import { build } from 'esbuild'
import { publint } from 'publint'
import sizeLimit from 'size-limit'
import { expect, test } from 'vitest'
import { chromiumPath, launch } from '../../../apps/dashboard/testing/browser.ts'
import type { System } from '../../../apps/server/system/service/start-system.ts'
import { type FreshFolder, readmePrograms } from './packed-client.ts'

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const generators = join(packageFolder, 'generator')
const load = createRequire(join(generators, '/'))
/** All modules of the package together, compressed. */
const BYTES_MAX = 20_500
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** What an integrator does in a page: signs with a key of the browser, and verifies a message. */
const PAGE_PROGRAM = `
import { Weir } from '@weir/sdk'
import { viemSigner } from '@weir/sdk/viem'
import { createWebhooks } from '@weir/sdk/webhooks'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

globalThis.earn = async (apiKey, amount) => {
  // A key in a page is for the sandbox only: here it proves that no part of the client needs Node.
  const weir = new Weir({ baseUrl: location.origin, apiKey })
  const account = privateKeyToAccount(generatePrivateKey())
  const place = { walletAddress: account.address, blockchain: 'polygon' }
  const { walletId } = await weir.v1.wallets.register(place)
  await weir.v1.wallets.register({ ...place, blockchain: 'base' })
  await weir.v1.sandbox.faucet({ ...place, token: 'USDC', amount })
  const { venues } = await weir.v1.venues.list({ blockchain: 'polygon', token: 'USDC' })
  const { strategyId, tokenAddress } = venues.find(({ protocol }) => protocol === 'aave-v3').strategies[0]
  const plan = await weir.operations.supply({ walletId, strategyId, tokenAddress, amount })
  const { status, settledAmount } = await weir.operations.execute(plan, viemSigner(account))
  const refused = await weir.operations.supply({ walletId: 999_999_999, strategyId, tokenAddress, amount }).catch(({ code }) => code)
  let wallets = 0
  for await (const _wallet of weir.v1.wallets.list({ limit: 1 })) if (++wallets === 2) break
  return { status, settledAmount, refused, wallets }
}
globalThis.unwrap = async (secret, body, headers) => (await createWebhooks(secret).unwrap(body, headers)).event
`

/** What holds for the package as a user installs it. */
export function packageTests(shared: () => { readonly system: System; readonly folder: FreshFolder }): void {
  test('publint and attw find nothing wrong with the package', async () => {
    const { messages } = await publint({ pkgDir: packageFolder, strict: true })
    expect(messages).toEqual([])
    const attw = fileURLToPath(new URL('dist/index.js', import.meta.resolve('@arethetypeswrong/cli/package.json')))
    await run(process.execPath, [attw, shared().folder.archive, '--profile', 'esm-only'])
  })

  test('the whole package is small', async () => {
    const dist = join(packageFolder, 'dist')
    const modules = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js'))
    const [whole] = (await sizeLimit(
      [fileSize],
      modules.map((name) => join(dist, name)),
    )) as { size: number }[]
    expect(whole!.size).toBeLessThan(BYTES_MAX)
  })

  test('every subpath is imported from the installed package, with what its source exports', async () => {
    const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'))
    const subpaths = Object.keys(manifest.exports)
    const program = `
      const names = ${JSON.stringify(subpaths.map((subpath) => `@weir/sdk${subpath.slice(1)}`))}
      console.log(JSON.stringify(await Promise.all(names.map(async (name) => Object.keys(await import(name))))))`
    const sources = subpaths.map((subpath) => import(join(packageFolder, manifest.exports[subpath]['@weir/source'])))
    const expected = (await Promise.all(sources)).map((module) => Object.keys(module).sort())
    expect(JSON.parse(await shared().folder.run('subpaths.js', program, {}))).toEqual(expected)
    expect(expected.every((names) => names.length > 0)).toBe(true)
  })

  test('its query options read a service through TanStack Query, and a key covers all inputs', async () => {
    const { system, folder } = shared()
    const program = `
      import { QueryClient } from '@tanstack/react-query'
      import { Weir } from '@weir/sdk'
      import { createQueries } from '@weir/sdk/react'
      const { WEIR_URL: baseUrl, WEIR_API_KEY: apiKey } = process.env
      const { v1 } = createQueries(new Weir({ baseUrl, apiKey }))
      const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
      const list = v1.venues.list({ blockchain: 'polygon', token: 'USDC' })
      const { venues } = await client.fetchQuery(list)
      const get = v1.venues.get(venues[0].id)
      const { name } = await client.fetchQuery(get)
      const refused = await client.fetchQuery(v1.wallets.get(999_999_999)).catch(({ code }) => code)
      await client.invalidateQueries({ queryKey: ['weir', 'listVenues'] })
      const stale = [list, get].map(({ queryKey }) => client.getQueryState(queryKey).isInvalidated)
      console.log(JSON.stringify({ isSame: name === venues[0].name, refused, stale }))`
    const environment = { WEIR_URL: system.process.url, WEIR_API_KEY: system.credentials.profileApiKey }
    const printed = JSON.parse(await folder.run('queries.js', program, environment))
    expect(printed).toEqual({ isSame: true, refused: 'WALLET_NOT_FOUND', stale: [true, false] })
  })

  test('the packed types tell a compiler what an integrator relies on, and the README compiles', async () => {
    const { folder } = shared()
    const programs = await readmePrograms()
    for (const [name, source] of programs) await writeFile(join(folder.path, name), source)
    await copyFile(fileURLToPath(new URL('typed-program.ts', import.meta.url)), join(folder.path, 'typed-program.ts'))
    const jsx = ['--jsx', 'react-jsx', '--types', 'node', '--lib', 'es2024,dom,dom.iterable,dom.asynciterable']
    await compile([...jsx, ...programs.keys(), 'typed-program.ts'], folder.path)
  })

  test('a second generator makes a client of the OpenAPI document that compiles', { timeout: 180_000 }, async () => {
    const { system, folder } = shared()
    const document = join(folder.path, 'openapi.json')
    await writeFile(document, await (await fetch(`${system.process.url}/openapi.json`)).text())
    const output = join(folder.path, 'generated')
    // Both generators need TypeScript as a library, which its newest version is not.
    const program = `import { registerHooks } from 'node:module'
      const typescript = ${JSON.stringify(pathToFileURL(load.resolve('typescript')).href)}
      registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? typescript : name, context) })
      const { createClient } = await import('@hey-api/openapi-ts')
      await createClient({ input: ${JSON.stringify(document)}, output: ${JSON.stringify(output)}, logs: { level: 'silent' } })`
    const options = { cwd: generators }
    await run(process.execPath, ['--input-type=module', '--eval', program], options)
    expect(await readdir(output)).toContain('sdk.gen.ts')
    await compile([join(output, 'index.ts'), join(output, 'sdk.gen.ts')], generators)
  })

  const chromium = chromiumPath()
  if (chromium === undefined) process.stderr.write('SKIPPED: there is no Chromium, so the client runs in no browser\n')
  test.skipIf(chromium === undefined)('in Chromium it supplies, signs, waits, iterates and verifies', async () => {
    const { system, folder } = shared()
    const { outputFiles } = await build({
      stdin: { contents: PAGE_PROGRAM, resolveDir: folder.path, loader: 'ts' },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    })
    const browser = await launch(chromium!)
    try {
      const page = await browser.newPage()
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      const origin = system.process.url
      await page.route(`${origin}/page.js`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]!.text }),
      )
      await page.route(`${origin}/page`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/page.js"></script>' }),
      )
      await page.goto(`${origin}/page`)
      await page.waitForFunction('globalThis.unwrap !== undefined')
      const earned = await page.evaluate(`earn(${JSON.stringify(system.credentials.profileApiKey)}, '250000000')`)
      expect(earned).toEqual({
        status: 'CONFIRMED',
        settledAmount: '250000000',
        refused: 'WALLET_NOT_FOUND',
        wallets: 2,
      })
      const { body, headers } = signedMessage()
      const unwrap = (text: string) => page.evaluate(`unwrap(${JSON.stringify([SECRET, text, headers]).slice(1, -1)})`)
      expect(await unwrap(body)).toBe('operation.completed')
      await expect(unwrap(`${body} `)).rejects.toThrow('does not belong to this request')
      expect(errors).toEqual([])
    } finally {
      await browser.close()
    }
  })
}

/** Checks the types of these files as a strict project does. The error shows what the compiler says. */
async function compile(args: readonly string[], cwd: string): Promise<void> {
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext']
  const compiler = load.resolve('typescript/lib/tsc.js')
  await run(process.execPath, [compiler, ...flags, ...args], { cwd }).catch(({ stdout, message }) => {
    throw new Error(stdout || message)
  })
}

function signedMessage() {
  const body = JSON.stringify({ event: 'operation.completed', timestamp: new Date().toISOString(), data: {} })
  const at = Math.floor(Date.now() / 1_000)
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64')
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }
  return { body, headers }
}
