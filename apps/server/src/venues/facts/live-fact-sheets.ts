import { control, type FactSheet } from './fact-sheet.ts'

const CHECKED_ON = '2026-11-22'
const HOUR = 3_600
const DAY = 24 * HOUR

const YEARN_ON_FLUID = 'https://github.com/yearn/monitoring-scripts-py/blob/main/fluid/README.md'

const FLUID = {
  protocol: 'Fluid Lending',
  yieldSource: 'Interest of borrowers of the shared Liquidity contract.',
  oracle: "Fluid's own contracts, one for each borrowing vault.",
  sources: [
    'https://github.com/Instadapp/fluid-contracts-public/blob/main/docs/docs.md',
    'https://github.com/Instadapp/fluid-contracts-public/blob/main/docs/fluid-permissions-and-mutability.md',
    'https://github.com/Instadapp/fluid-contracts-public/blob/main/contracts/liquidity/SPEC.md',
    'https://github.com/Instadapp/fluid-contracts-public/blob/main/contracts/protocols/lending/fToken/main.sol',
  ],
  checkedOn: '2026-11-23',
} as const

/**
 * Public protocols; `name:blockchain` where a chain differs. A delay is `null` unless a source of the protocol itself
 * states it and none contradicts: parameters of governance change, and a number that is no longer true is worse than
 * none.
 */
export const LIVE_FACT_SHEETS = {
  'aave-v3': {
    protocol: 'Aave V3',
    yieldSource: 'Interest of overcollateralized borrowers of the same reserve.',
    oracle: 'AaveOracle, which reads price feeds that the governance sets.',
    controls: [
      control('upgrade', 'Aave governance, owner of the PoolAddressesProvider', DAY, 'After a vote; as deployed.'),
      control('pause', 'holders of the EMERGENCY_ADMIN and POOL_ADMIN roles', 0),
      control('configure', 'holders of the RISK_ADMIN and POOL_ADMIN roles', null, 'Caps, rates, freezes.'),
    ],
    sources: [
      'https://aave.com/docs/aave-v3/smart-contracts/pool-addresses-provider',
      'https://aave.com/docs/aave-v3/smart-contracts/acl-manager',
      'https://aave.com/docs/aave-v3/smart-contracts/pool-configurator',
      'https://github.com/bgd-labs/aave-governance-v3/blob/main/docs/overview.md',
      'https://github.com/bgd-labs/aave-governance-v3/blob/main/scripts/Payloads/Deploy_PayloadsController.s.sol',
    ],
    checkedOn: '2026-11-23',
  },
  'compound-v3': {
    protocol: 'Compound V3 (Comet)',
    yieldSource: 'Interest of borrowers of the same market, overcollateralized by other tokens.',
    oracle: 'Price feeds of the market, which the governance sets.',
    controls: [
      control(
        'upgrade',
        'Compound governance; on other chains, its local timelock',
        2 * DAY,
        'After 2 days of review and 3 of voting; other chains add the delay of theirs.',
      ),
      control('pause', 'pause guardian and governance', 0, 'Deposits and withdrawals separately.'),
      control('configure', 'Compound governance', 2 * DAY, 'Rates, collateral and its caps, price feeds.'),
    ],
    sources: [
      'https://docs.compound.finance/governance',
      'https://docs.compound.finance/v2/governance',
      'https://docs.compound.finance/interest-rates',
      'https://github.com/compound-finance/comet/blob/main/contracts/CometWithExtendedAssetList.sol',
    ],
    checkedOn: '2026-11-23',
  },
  morpho: {
    protocol: 'Morpho Vault V1',
    yieldSource: 'Interest of overcollateralized borrowers of the isolated markets that the curator chooses.',
    oracle: 'One for each market, fixed when the market was created.',
    controls: [
      {
        power: 'configure',
        holder: 'curator and owner of the vault',
        delaySeconds: null,
        note: "Higher caps and new markets wait for the vault's timelock: 1 to 14 days; from V1.1 on, 0 until it is first set.",
        waitsForTimelock: true,
      },
      control('configure', 'owner of the vault', 0, 'The performance fee, up to 50%; lower caps.'),
      control('allocate', 'allocators of the vault', 0, 'Between enabled markets, within their caps.'),
    ],
    sources: [
      'https://docs.morpho.org/curation/concepts/timelock',
      'https://docs.morpho.org/morpho-vaults/concepts/roles',
      'https://github.com/morpho-org/metamorpho/blob/main/README.md',
    ],
    checkedOn: CHECKED_ON,
  },
  spark: {
    protocol: 'Spark Savings (sUSDC)',
    yieldSource: 'The savings rate that Sky pays on USDS, into which the vault converts deposits.',
    oracle: null,
    controls: [
      control('upgrade', 'Sky governance; on other chains, its relay', 48 * HOUR, 'After a vote; the GSM pause delay.'),
      control('configure', 'Sky governance', null, 'The savings rate.'),
      control('pause', 'Sky governance', null, 'The conversion module; some parts without the delay.'),
    ],
    sources: [
      'https://github.com/sparkdotfi/spark-vaults/blob/master/src/UsdcVault.sol',
      'https://github.com/sparkdotfi/spark-vaults/blob/master/src/UsdcVaultL2.sol',
      'https://sky-atlas.powerhouse.io',
      'https://github.com/sky-ecosystem/executive-votes/blob/main/2026/executive-vote-2026-10-08-stusds-keeper-launch.md',
    ],
    checkedOn: '2026-11-23',
  },
  fluid: {
    ...FLUID,
    controls: [
      control(
        'upgrade',
        'governance, admin of the Liquidity proxy, through a timelock',
        null,
        "Yearn's monitoring reads 1 day, the protocol's older pages say 2. fTokens themselves cannot be upgraded.",
      ),
      control(
        'pause',
        'guardians and auths of the Liquidity contract',
        0,
        'One fToken or token; auths also everything.',
      ),
      control('configure', 'governance, and auths of the team within bounds', null, 'Withdrawal limits and rates.'),
    ],
    sources: [...FLUID.sources, 'https://codex.instadapp.io/community/governance-flow', YEARN_ON_FLUID],
  },
  'fluid:base': {
    ...FLUID,
    controls: [
      control(
        'upgrade',
        'team multisig, admin of the Liquidity proxy',
        0,
        'A timelock is only planned. fTokens themselves cannot be upgraded.',
      ),
      control('pause', 'team multisig, and guardians and auths of the Liquidity contract', 0),
      control('configure', 'team multisig', 0, 'Withdrawal limits and rates.'),
    ],
  },
  euler: {
    protocol: 'Euler V2 (EVK)',
    yieldSource: 'Interest of overcollateralized borrowers of the same vault.',
    oracle: 'The router of the market, whose governor sets the adapter of each token.',
    controls: [
      control(
        'upgrade',
        'Euler DAO, through the governor of the vault factory',
        4 * DAY,
        'Its timelock, as deployed; a security council may cancel.',
      ),
      control(
        'configure',
        'Euler DAO, governor of the vaults',
        48 * HOUR,
        'Caps, rates, collateral, fees, hooks. A risk steward and emergency roles act at once, within bounds.',
      ),
      control('pause', 'pause guardians of the factory, emergency roles of the governor', 0),
    ],
    sources: [
      'https://github.com/euler-xyz/euler-labels/blob/master/1/products.json',
      'https://github.com/euler-xyz/euler-labels/blob/master/8453/products.json',
      'https://github.com/euler-xyz/euler-interfaces/blob/master/addresses/1/GovernorAddresses.json',
      'https://github.com/euler-xyz/evk-periphery/blob/master/docs/selector-access-control.md',
      'https://github.com/euler-xyz/evk-periphery/blob/master/script/50_CoreAndPeriphery.s.sol',
      'https://docs.euler.finance/security/pause-and-upgrade',
      'https://github.com/deficollective/defiscan/pull/145',
      'https://docs.euler.finance/security/dao-vaults-governance',
    ],
    checkedOn: '2026-11-23',
  },
  yearn: {
    protocol: 'Yearn V3',
    yieldSource: 'The strategies that the managers of the vault fund.',
    oracle: null,
    controls: [
      control('allocate', 'holders of the strategy and debt roles', 0, 'Also to new strategies.'),
      control('pause', 'holders of the emergency role', 0, 'A shutdown stops deposits; withdrawals still work.'),
      control('configure', 'role manager of the vault', 0, 'Gives the roles.'),
    ],
    sources: ['https://docs.yearn.fi/developers/smart-contracts/V3/VaultV3'],
    checkedOn: CHECKED_ON,
  },
  'jupiter-lend': {
    protocol: 'Jupiter Lend (Earn)',
    yieldSource: 'Interest of borrowers of the shared liquidity program, and rewards that the program adds.',
    oracle: "The protocol's own oracle program, one account for each borrowing vault.",
    controls: [
      control('upgrade', 'upgrade authority of the programs, a multisig of Jupiter and Fluid', 12 * HOUR),
      control('pause', 'guardians of the liquidity program', null, 'One market, or one token.'),
      control('configure', 'program authority, a multisig of Jupiter and Fluid', 0, 'Withdrawal limits and rates.'),
    ],
    sources: [
      'https://github.com/jup-ag/jupiter-lend/blob/main/docs/earn/cpi.md',
      'https://github.com/jup-ag/jupiter-lend/blob/main/target/idl/liquidity.json',
      'https://github.com/Instadapp/fluid-solana-programs/blob/main/README.md',
      'https://github.com/Instadapp/fluid-contracts-public/blob/main/docs/fluid-permissions-and-mutability.md',
    ],
    checkedOn: '2026-11-23',
  },
  kamino: {
    protocol: 'Kamino Lend',
    yieldSource: 'Interest of overcollateralized borrowers of the same reserve.',
    oracle: 'Scope, and the feeds that the market configures.',
    controls: [
      control(
        'upgrade',
        'upgrade authority of the program, a multisig',
        null,
        "Kamino states the delay of the market's owner only, not that of upgrades.",
      ),
      control('configure', 'owner of the main market, a multisig', 12 * HOUR),
      control('pause', 'emergency council of the market', null),
    ],
    sources: [
      'https://kamino.com/docs/curators/markets/transfer-to-multisig',
      'https://github.com/Kamino-Finance/klend/tree/master/programs/klend/src/handlers',
    ],
    checkedOn: '2026-11-23',
  },
} as const satisfies Readonly<Record<string, FactSheet>>
