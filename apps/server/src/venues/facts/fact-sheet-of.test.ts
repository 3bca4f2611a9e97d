import { expect, test } from 'vitest'
import { liveSeeds } from '../catalogue/live-seeds.ts'
import { delayOf } from './fact-sheet.ts'
import { factSheetOf } from './fact-sheet-of.ts'
import { LIVE_FACT_SHEETS } from './live-fact-sheets.ts'

const live = liveSeeds(['ethereum', 'polygon', 'base', 'solana']).flatMap(({ protocol, blockchain, strategies }) =>
  strategies.map(({ key, params }) => ({ key, protocol, blockchain, params })),
)

test('every live strategy has a sheet with sources, and every sheet is used', () => {
  const used = live.map((strategy) => [strategy.key, factSheetOf(strategy, false)] as const)
  expect(used.filter(([, sheet]) => sheet === null)).toEqual([])
  for (const [, sheet] of used) {
    expect(sheet!.sources.length).toBeGreaterThan(0)
    for (const source of sheet!.sources) expect(new URL(source).protocol).toBe('https:')
  }
  expect(new Set(used.map(([, sheet]) => sheet))).toEqual(new Set(Object.values(LIVE_FACT_SHEETS)))
})

test('where the sandbox replaces the code of an embedded contract, its sheet says who can', () => {
  // docs/sandbox.md names the strategies with the state `upgraded`.
  for (const protocol of ['erc4626', 'share-vault']) {
    const { controls } = factSheetOf({ blockchain: 'polygon', protocol, params: {} }, true)!
    expect(controls.map(({ power }) => power)).toContain('upgrade')
  }
})

test('the time before an upgrade takes effect is known where a source of the protocol states it', () => {
  const delays = Object.entries(LIVE_FACT_SHEETS).map(([provider, { controls }]) => [
    provider,
    controls.find(({ power }) => power === 'upgrade')?.delaySeconds,
  ])
  expect(Object.fromEntries(delays)).toEqual({
    'aave-v3': 86_400,
    'compound-v3': 2 * 86_400,
    spark: 48 * 3_600,
    fluid: null,
    'fluid:base': 0,
    euler: 4 * 86_400,
    kamino: null,
    'jupiter-lend': 12 * 3_600,
    morpho: undefined,
    yearn: undefined,
  })
})

test("only the delay of Morpho's curators is that of the vault itself", () => {
  const delays = Object.entries(LIVE_FACT_SHEETS).flatMap(([provider, { controls }]) =>
    controls
      .filter((control) => delayOf(control, { timelockSeconds: 777 }) === 777)
      .map(({ power }) => [provider, power]),
  )
  expect(delays).toEqual([['morpho', 'configure']])
  const [curator] = LIVE_FACT_SHEETS.morpho.controls
  expect(delayOf(curator!, { timelockSeconds: null }), 'not read yet').toBeNull()
})

test('a chain where others hold the powers has a sheet of its own', () => {
  const sheets = live.map((strategy) => [strategy.blockchain, factSheetOf(strategy, false)!] as const)
  const upgradeOf = (chain: string) =>
    sheets
      .find(([blockchain, { protocol }]) => blockchain === chain && protocol === 'Fluid Lending')![1]
      .controls.find(({ power }) => power === 'upgrade')
  expect(upgradeOf('ethereum')).toMatchObject({ holder: expect.stringContaining('governance'), delaySeconds: null })
  expect(upgradeOf('base')).toMatchObject({ holder: expect.stringContaining('team multisig'), delaySeconds: 0 })
})

test('a contract that nobody checked has no sheet, even under a known key', () => {
  const [aave] = live.filter(({ protocol }) => protocol === 'aave-v3')
  const params = { ...aave!.params, pool: '0x0000000000000000000000000000000000000001' }
  expect(factSheetOf({ ...aave!, params }, false)).toBeNull()
  expect(factSheetOf({ ...aave!, blockchain: 'polygon', params: { vault: params.pool } }, false)).toBeNull()
})

test('an embedded strategy never shows the sheet of its public namesake', () => {
  const [aave] = live.filter(({ protocol }) => protocol === 'aave-v3')
  expect(factSheetOf(aave!, true)!.protocol).toBe('Aave V3, embedded')
  expect(factSheetOf({ blockchain: 'polygon', protocol: 'unknown', params: {} }, true)).toBeNull()
})
