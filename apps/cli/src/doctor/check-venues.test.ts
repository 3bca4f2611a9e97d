import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseVenuesFile, seedsFromDeployment } from '../../../server/src/venues/index.ts'
import { type Market, startMarket } from '../../../server/testing/venues/market.ts'
import { checkListedVenue, checkVenue, checkVenues } from './check-venues.ts'
import { checkVenuesFile } from './check-venues-file.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket('base')
})
afterAll(() => market.stop())

const statusesOf = async (change: (params: Readonly<Record<string, string>>) => Readonly<Record<string, string>>) => {
  const venues = seedsFromDeployment(market.devnet.deployment).map((venue) => ({
    ...venue,
    strategies: venue.strategies.map((strategy) => ({ ...strategy, params: change(strategy.params) })),
  }))
  return (await Promise.all(venues.map((venue) => checkVenue(market.chain, venue)))).flat()
}

test('every contract of the embedded chain is what its catalogue says', async () => {
  const findings = await statusesOf((params) => params)
  expect(findings.length).toBeGreaterThan(1)
  expect(findings.filter(({ status }) => status !== 'ok')).toEqual([])
})

test('an address without a contract is a problem that names the venue', async () => {
  const nobody = '0x00000000000000000000000000000000000000Aa'
  const findings = await statusesOf((params) => Object.fromEntries(Object.keys(params).map((name) => [name, nobody])))
  for (const finding of findings) {
    expect(finding).toMatchObject({ status: 'problem', message: expect.stringContaining(nobody) })
    expect(finding.message).toMatch(/cannot be read|takes 0x/)
  }
})

test('a token other than the catalogue says is a problem', async () => {
  const [venue] = seedsFromDeployment(market.devnet.deployment)
  const [strategy] = venue!.strategies
  const other = '0x00000000000000000000000000000000000000Bb'
  const [finding] = await checkVenue(market.chain, { ...venue!, strategies: [{ ...strategy!, tokenAddress: other }] })
  expect(finding).toMatchObject({ status: 'problem', message: expect.stringMatching(/takes 0x\w+, not USDC$/) })
})

test('the venue file: its form, and its entries on their chain', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-venues-file-'))
  const venuesFile = join(folder, 'venues.json')
  const { vault } = market.strategy('erc4626:base:USDC').params
  const nobody = '0x00000000000000000000000000000000000000aa'
  const entries = [vault, nobody].map((address) => ({ blockchain: 'base', kind: 'erc4626', address, source: 'here' }))
  await writeFile(venuesFile, JSON.stringify({ version: 1, venues: entries }))
  expect(await checkVenuesFile({ venuesFile })).toMatchObject([{ status: 'ok' }])
  const findings = await Promise.all(
    parseVenuesFile(await readFile(venuesFile, 'utf8')).map((entry) => checkListedVenue(market.chain, entry)),
  )
  expect(findings).toMatchObject([
    { status: 'ok', message: `VENUES_FILE venues[0] (${vault}) takes USDC` },
    { status: 'problem', message: expect.stringMatching(/^VENUES_FILE venues\[1\] .* NO_CONTRACT: /) },
  ])

  await writeFile(venuesFile, '{}')
  expect(await checkVenuesFile({ venuesFile })).toMatchObject([
    { status: 'problem', message: 'VENUES_FILE INVALID_FILE: version must be 1' },
  ])
  expect(await checkVenuesFile({ venuesFile: undefined })).toEqual([])
  await rm(folder, { recursive: true })
})

test('the check of live asks for no setting that it does not read', async () => {
  const unread = { SERVICE_ENV: 'live', DATABASE_URL: 'nonsense', JWT_SECRET: 'short' }
  const sections = await checkVenues(unread)
  expect(sections.flatMap(({ findings }) => findings.map(({ status }) => status))).toEqual(
    sections.map(() => 'skipped'),
  )
  await expect(checkVenues({ ...unread, BASE_RPC_URL: 'nowhere' })).rejects.toThrow(/^BASE_RPC_URL must/)
})
