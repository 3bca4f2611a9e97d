import { expect, test } from 'vitest'
import { VENUES_FILE_MAX } from '../../kernel/index.ts'
import { parseVenuesFile } from './parse-venues-file.ts'
import { VenuesFileError } from './venues-file-error.ts'

const VAULT = '0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB'
const entry = { blockchain: 'base', kind: 'erc4626', address: VAULT, source: 'https://vault.example/deployments' }
const file = (...venues: unknown[]) => JSON.stringify({ version: 1, venues })

function problemsOf(text: string): string[] {
  try {
    parseVenuesFile(text)
  } catch (error) {
    if (error instanceof VenuesFileError) return error.message.split('\n')
    throw error
  }
  return []
}

test('an entry needs a chain, a kind, an address and a source; the rest has defaults', () => {
  const lower = { ...entry, address: `0x${'ab'.repeat(20)}`, kind: 'erc7540', name: 'Ours', provider: 'Morpho' }
  expect(parseVenuesFile(file(entry, { ...lower, status: 'paused' }))).toEqual([
    {
      ...entry,
      index: 0,
      name: undefined,
      provider: undefined,
      status: 'active',
      limits: undefined,
      rate: undefined,
      cash: undefined,
    },
    {
      ...lower,
      index: 1,
      address: '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB',
      status: 'paused',
      limits: undefined,
      rate: undefined,
      cash: undefined,
    },
  ])
})

test('a reserve of Kamino is named by its account', () => {
  const reserve = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59'
  const [parsed] = parseVenuesFile(file({ ...entry, kind: 'kamino', blockchain: 'solana', address: reserve }))
  expect(parsed).toMatchObject({ kind: 'kamino', blockchain: 'solana', address: reserve })
})

test('a Comet may name the contract of its rewards and the feed of their token', () => {
  const rewards = { rewards: VAULT.toLowerCase(), rewardFeed: VAULT }
  const [parsed] = parseVenuesFile(file({ ...entry, kind: 'compound-v3', ...rewards }))
  expect(parsed).toMatchObject({ kind: 'compound-v3', rewards: VAULT, rewardFeed: VAULT })
})

test('one address on two chains is two contracts', () => {
  const both = file(entry, { ...entry, blockchain: 'ethereum' })
  expect(parseVenuesFile(both).map(({ blockchain }) => blockchain)).toEqual(['base', 'ethereum'])
})

test('every wrong entry is named by its position, with what to do', () => {
  const wrong = [
    { ...entry, address: VAULT.replace('BEEF', 'BeEF') },
    { ...entry, kind: 'aave-v2' },
    { ...entry, blockchain: 'solana' },
    { ...entry, source: '' },
    { ...entry, name: 'two\nlines' },
    { ...entry, adress: VAULT },
    { ...entry, status: 'gone' },
    { ...entry, kind: 'erc7540', limits: 'unreported' },
    'vault',
    entry,
    { ...entry, address: VAULT.toLowerCase() },
    { ...entry, kind: 'kamino' },
    { ...entry, kind: 'kamino', blockchain: 'solana' },
    { ...entry, kind: 'aave-v3', cash: 'held' },
    { ...entry, rewards: VAULT, rewardFeed: VAULT },
    { ...entry, kind: 'compound-v3', rewards: VAULT },
    { ...entry, kind: 'compound-v3', rewards: VAULT, rewardFeed: 'COMP' },
  ]
  expect(problemsOf(file(...wrong))).toEqual([
    'venues[0] INVALID_ENTRY: address is not an EVM address: 0x and 40 hexadecimal digits, with a valid checksum (EIP-55) if it is in mixed case',
    'venues[1] INVALID_ENTRY: kind must be erc4626 or erc7540 or cooldown-vault or compound-v3 or aave-v3 or kamino',
    'venues[2] INVALID_ENTRY: blockchain must be polygon or ethereum or base',
    'venues[3] INVALID_ENTRY: source must be text of 1 to 500 characters on one line',
    'venues[4] INVALID_ENTRY: name must be text of 1 to 64 characters on one line',
    'venues[5] INVALID_ENTRY: has an unknown field adress; remove it',
    'venues[6] INVALID_ENTRY: status must be active or paused or deprecated',
    'venues[7] INVALID_ENTRY: limits is for the kind erc4626 only',
    'venues[8] INVALID_ENTRY: must be an object',
    'venues[11] INVALID_ENTRY: blockchain must be solana',
    'venues[12] INVALID_ENTRY: address is not a Solana address: base58 of 32 bytes',
    'venues[13] INVALID_ENTRY: cash is for the kind erc4626 only',
    'venues[14] INVALID_ENTRY: rewards is for the kind compound-v3 only',
    'venues[15] INVALID_ENTRY: rewards and rewardFeed go together; add the other one',
    'venues[16] INVALID_ENTRY: rewardFeed is not an EVM address: 0x and 40 hexadecimal digits, with a valid checksum (EIP-55) if it is in mixed case',
    'venues[10] DUPLICATE_ENTRY: has the contract of venues[9]; remove one of them',
  ])
})

test('a file that is no list of venues is refused as a whole', () => {
  expect(problemsOf('{')[0]).toMatch(/^INVALID_FILE: must be JSON: /)
  expect(problemsOf('[]')).toEqual(['INVALID_FILE: must be an object with version and venues'])
  expect(problemsOf('{"version": 2, "venues": []}')).toEqual(['INVALID_FILE: version must be 1'])
  expect(problemsOf('{"version": 1, "venues": {}}')).toEqual(['INVALID_FILE: venues must be a list'])
  expect(problemsOf('{"version": 1, "venues": [], "vaults": []}')).toEqual([
    'INVALID_FILE: has an unknown field vaults; remove it',
  ])
  expect(problemsOf(file(...Array.from({ length: VENUES_FILE_MAX + 1 }, () => entry)))).toEqual([
    `INVALID_FILE: venues must have at most ${VENUES_FILE_MAX} entries`,
  ])
  expect(parseVenuesFile(file())).toEqual([])
})
