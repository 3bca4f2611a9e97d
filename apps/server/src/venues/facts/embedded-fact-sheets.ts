import { control, type FactSheet } from './fact-sheet.ts'

const GOVERNOR = 'governor of the embedded chain, whose key is public'
const shared = { sources: ['packages/devnet'], checkedOn: '2026-11-22' }

/** The embedded chains: everybody who reads this repository holds these powers. */
export const EMBEDDED_FACT_SHEETS: Readonly<Record<string, FactSheet>> = {
  'aave-v3': {
    ...shared,
    protocol: 'Aave V3, embedded',
    yieldSource: 'Interest of the embedded borrower.',
    oracle: 'Fixed prices.',
    controls: [control('upgrade', GOVERNOR, 0), control('pause', GOVERNOR, 0), control('configure', GOVERNOR, 0)],
  },
  'compound-v3': {
    ...shared,
    protocol: 'Comet market of this repository',
    yieldSource: 'Interest of embedded borrowers.',
    oracle: 'Fixed prices.',
    controls: [control('pause', GOVERNOR, 0)],
  },
  erc4626: {
    ...shared,
    protocol: 'ERC-4626 vaults of this repository',
    yieldSource: 'A budget with a fixed rate, or interest of embedded borrowers for vaults that lend.',
    oracle: null,
    controls: [
      control('upgrade', GOVERNOR, 0, 'Only Upgradeable USDC, which is a proxy, and the layer behind Fluid USDC.'),
      control('pause', GOVERNOR, 0),
      control('allocate', GOVERNOR, 0),
      control('configure', GOVERNOR, 0),
    ],
  },
  erc7540: {
    ...shared,
    protocol: 'ERC-7540 vaults of this repository',
    yieldSource: 'A budget with a fixed rate.',
    oracle: null,
    exit: 'Withdrawals are requested, and claimed once the governor settles them. Until then they share gains and losses.',
    controls: [control('configure', GOVERNOR, 0, 'Decides when requests are settled.')],
  },
  'cooldown-vault': {
    ...shared,
    protocol: 'Cooldown vaults of this repository',
    yieldSource: 'A budget with a fixed rate.',
    oracle: null,
    exit: 'Withdrawals are requested, and claimed after a cooldown of 7 days, in which they earn nothing.',
    controls: [control('configure', GOVERNOR, 0, 'Sets how long the cooldown is.')],
  },
  'share-vault': {
    ...shared,
    protocol: 'Share vaults of this repository',
    yieldSource: 'A budget with a fixed rate.',
    oracle: null,
    controls: [
      control('upgrade', 'treasury of the embedded chain, whose key is public', 0),
      control('pause', GOVERNOR, 0),
      control('configure', GOVERNOR, 0),
    ],
  },
}
