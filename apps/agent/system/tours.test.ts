import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SETTINGS } from '../../server/src/config.ts'
import { processesOf } from '../../server/system/processes/service-process.ts'
import { tourLoop } from '../../server/tour/loop.ts'
import { startService, type TourService } from '../../server/tour/service.ts'
import { tourRamp } from '../tour/ramp.ts'
import { tourTreasury } from '../tour/treasury.ts'

/** Tours wait for chains and an agent at every step, which takes minutes on a busy machine. */
const TIMEOUT_MS = 300_000
const WIDTH = 100

let service: TourService

/**
 * All tours run on one service, in an order in which none meets what an earlier one left: the ramp leaves no money, and
 * the loop asks no policy. It starts as the service of each tour does, without the caller's settings.
 */
beforeAll(async () => {
  // With any of these, the service would exit immediately or work on someone's real data.
  for (const { name } of Object.values(SETTINGS)) vi.stubEnv(name, 'no value of a tour')
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/real')
  vi.stubEnv('SERVICE_ENV', 'live')
  service = await startService(() => {})
  vi.unstubAllEnvs()
}, TIMEOUT_MS)
afterAll(() => service?.stop())

test('the ramp ends after its last webhook, with where every cent went', { timeout: TIMEOUT_MS }, async () => {
  const lines: string[] = []
  await tourRamp(service, (line) => lines.push(...line.split('\n')), join(service.folder, 'ramp'))
  const delivered = lines.filter((line) => line.startsWith('   webhook'))
  expect(delivered.filter((line) => line.includes('transaction.completed'))).toHaveLength(2)
  expect(lines.findLastIndex((line) => line.startsWith('   webhook'))).toBeLessThan(lines.findIndex(isSummary))
  expect(lines.at(-1)).toContain(`${delivered.length} events`)
  expectArithmetic(lines, 'paid out')
  expectApy(lines, 'APY')
  expectReadable(lines)
})

test('the treasury fills a buffer from two vaults that lend everything on, as neither can pay alone', {
  timeout: TIMEOUT_MS,
}, async () => {
  const lines: string[] = []
  await tourTreasury(service, (line) => lines.push(...line.split('\n')), join(service.folder, 'treasury'))
  const said = lines.join('\n')
  expect(said).toMatch(/^polygon +deployed: 5,000.00 in Lending USDC \(Aave\), 4,000.00 in Lending USDC \(markets\)$/m)
  expect(said.match(/it can pay 2,000.00$/gm)).toHaveLength(2)
  expect(said).toMatch(/^polygon +came back: 2,000.00 from Lending USDC \(.+\), 1,000.00 from Lending USDC \(.+\)$/m)
  expect(said).toMatch(/buffer +\d+ \+ \d+ = \d+: polygon's two vaults; neither could pay alone$/m)
  for (const check of ['yield', 'buffer']) expectArithmetic(lines, check)
  expectApy(lines, 'APY paid')
  expect(said).toContain('chain whole')
  expectReadable(lines)
})

test('the loop ends with what each chain paid, and never waits for its own rate limit', {
  timeout: TIMEOUT_MS,
}, async () => {
  const lines: string[] = []
  await tourLoop(service, (line) => lines.push(...line.split('\n')))
  expect(lines.join('\n')).not.toContain('the rate limit')
  expect(lines.at(-1)).toMatch(/^Next +npm run tour:treasury: .+ refill a buffer/)
  expect(rows(lines, 'Summary')).toEqual([
    ['ethereum', 'Aave V3 USDC', expect.any(String), expect.any(String), positive, expect.any(String)],
    ['polygon', 'Lending USDC (markets)', expect.any(String), expect.any(String), positive, expect.any(String)],
    ['base', 'Aave V3 USDC', expect.any(String), expect.any(String), positive, expect.any(String)],
    ['solana', 'Share Vault USDC', expect.any(String), expect.any(String), positive, expect.any(String)],
  ])
  expectArithmetic(lines, 'yield')
  expectApy(lines, 'APY paid')
  expectReadable(lines)
})

test('nothing is left of the service and its folder', async () => {
  await service.stop()
  expect(existsSync(service.folder)).toBe(false)
  expect(await processesOf(service.folder)).toEqual([])
})

const positive = expect.stringMatching(/^[1-9]\d*\.\d{6}$/)
const isSummary = (line: string) => line.startsWith('Summary')

/** The cells of the rows below a heading, without head and total. */
function rows(lines: readonly string[], title: string): string[][] {
  const start = lines.findIndex((line) => line.startsWith(title)) + 2
  const end = lines.findIndex((line, at) => at > start && line.startsWith('all chains'))
  return lines.slice(start, end).map((line) => line.split(/ {2,}/))
}

/** The line of the check by hand: what is left and right of its equals sign. */
function checkOf(lines: readonly string[], name: string): [left: string, right: string] {
  const found = lines.slice(lines.findIndex(isSummary)).filter((line) => line.startsWith(`${name.padEnd(12)} `))
  const [left = '', right = ''] = found.at(-1)!.slice(13).split(' = ')
  return [left, right]
}

/** Redoes a sum of whole numbers as a reader would. */
function expectArithmetic(lines: readonly string[], name: string): void {
  const [left, right] = checkOf(lines, name)
  const terms = left.match(/(?:^|[+-] )\d+/g) ?? []
  const total = terms.reduce((sum, term) => sum + BigInt(term.replace(/^\+? /, '').replace(' ', '')), 0n)
  expect(terms.length, left).toBeGreaterThan(1)
  expect(total).toBe(BigInt(/^\d+/.exec(right)![0]))
}

/** Redoes `(to / from) ^ (365 / days) - 1` as a reader would. */
function expectApy(lines: readonly string[], name: string): void {
  const [left, right] = checkOf(lines, name)
  const [to, from, year, days] = left.match(/\d+/g)!.map(Number) as [number, number, number, number]
  expect(right).toBe(`${(((to / from) ** (year / days) - 1) * 100).toFixed(2)}%`)
}

/** Lines that no terminal wraps. */
function expectReadable(lines: readonly string[]): void {
  expect(lines.filter((line) => line.length > WIDTH)).toEqual([])
}
