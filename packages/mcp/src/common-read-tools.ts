import { z } from 'zod'
import { withoutCalls } from './explain-operation.ts'
import { DECIMALS, id, moment, page, type ReadTool, symbol, tool } from './read-tool.ts'

const NEEDS = 'Needs an organization key or a service account.'

/** Reads on core that an organization key and a service account have in common. */
export const COMMON_READ_TOOLS: readonly ReadTool[] = [
  tool(
    'list_operational_wallets',
    {
      title: 'List operational wallets',
      description: `Wallets that Weir manages, with buffer, available, reserved, deployed and exiting balance. ${NEEDS} ${DECIMALS}`,
    },
    page,
    async ({ core }, input) => core.wallets.listMonitored(input),
  ),
  tool(
    'get_operational_wallet',
    {
      title: 'Get an operational wallet',
      description: `Buffer, whether it rebalances, and balances of a wallet that Weir manages. ${NEEDS} ${DECIMALS}`,
    },
    { opWalletId: id('Operational wallet id.') },
    async ({ core }, { opWalletId }) => core.wallets.getMonitored(opWalletId),
  ),
  tool(
    'list_organization_wallets',
    {
      title: 'List wallets of the organization',
      description: `All wallets of all profiles, with label, custody provider and operational wallets. ${NEEDS}`,
    },
    { q: z.string().min(1).max(100).optional().describe('How a label or an address begins.'), ...page },
    async ({ core }, input) => core.wallets.list(input),
  ),
  tool(
    'get_organization_wallet',
    {
      title: 'Get a wallet of the organization',
      description: `A wallet with its label, custody provider and operational wallets. ${NEEDS}`,
    },
    { walletId: id('Wallet id.') },
    async ({ core }, { walletId }) => core.wallets.get(walletId),
  ),
  tool(
    'list_ledger_entries',
    {
      title: 'List entries of the ledger',
      description: `What was booked for a wallet, newest first, with the operation of each entry. ${NEEDS} ${DECIMALS}`,
    },
    {
      walletId: id('Wallet id.'),
      token: symbol.optional(),
      from: moment.optional(),
      until: moment.optional(),
      ...page,
    },
    async ({ core }, input) => core.wallets.listLedgerEntries(input),
  ),
  tool(
    'get_balances_at',
    {
      title: 'Get the balances as of a moment',
      description: `By wallet and token, from the ledger. ${NEEDS} ${DECIMALS}`,
    },
    { at: moment, ...page },
    async ({ core }, input) => core.balances.list(input),
  ),
  tool(
    'get_positions_at',
    {
      title: 'Get the positions as of a moment',
      description: `By wallet and strategy, with value and yield. ${NEEDS} ${DECIMALS}`,
    },
    { at: moment, ...page },
    async ({ core }, input) => core.balances.listPositions(input),
  ),
  tool(
    'list_core_operations',
    {
      title: 'List operations in detail',
      description: `Those that wait, or those that ended. get_core_operation says more about one. ${NEEDS} ${DECIMALS}`,
    },
    { ended: z.boolean().default(false).describe('Those that ended, newest first.'), ...page },
    async ({ core }, { ended, ...window }) => (ended ? core.operations.history(window) : core.operations.queue(window)),
  ),
  tool(
    'get_core_operation',
    {
      title: 'Get an operation in detail',
      description: `Steps, reasons, approvals and transactions of an operation. ${NEEDS} ${DECIMALS}`,
    },
    { operationId: id('Operation id.') },
    async ({ core }, { operationId }) => withoutCalls(await core.operations.get(operationId)),
  ),
  tool(
    'get_operation_stats',
    {
      title: 'Get the numbers of operations',
      description: `How many operations ended, failed and wait, and how long they took. ${NEEDS} ${DECIMALS}`,
    },
    {},
    async ({ core }) => core.operations.stats(),
  ),
  tool(
    'list_core_exits',
    {
      title: 'List exits in detail',
      description: `What was requested back from strategies that pay later, of all wallets. ${NEEDS} ${DECIMALS}`,
    },
    { status: z.enum(['pending', 'claimable', 'claimed']).optional(), ...page },
    async ({ core }, input) => core.exits.list(input),
  ),
  tool(
    'get_core_exit',
    { title: 'Get an exit in detail', description: `What one exit waits for, and since when. ${NEEDS} ${DECIMALS}` },
    { exitId: id('Exit id.') },
    async ({ core }, { exitId }) => core.exits.get(exitId),
  ),
  tool(
    'get_liquidity',
    {
      title: 'Get when the money could be back',
      description: `What could be withdrawn at once, and what later. ${NEEDS} ${DECIMALS}`,
    },
    {},
    async ({ core }) => core.liquidity.get(),
  ),
  tool(
    'list_strategy_risks',
    {
      title: 'List the risks of all strategies',
      description: `Known facts about the risk of each strategy, its yields, and the organization's share. ${NEEDS} ${DECIMALS}`,
    },
    {},
    async ({ core }) => core.strategyRisks.list(),
  ),
  tool(
    'get_strategy_risk',
    {
      title: 'Get the risk of a strategy',
      description: `Known facts about the risk of a strategy, with its yields and liquidity by day. ${NEEDS} ${DECIMALS}`,
    },
    {
      strategyId: id('Strategy id.'),
      days: z.number().int().min(1).max(365).default(30).describe('Length of the history.'),
    },
    async ({ core }, { strategyId, days }) => core.strategyRisks.get(strategyId, { days }),
  ),
  tool(
    'get_strategy_history',
    {
      title: 'Get yields and liquidity of a day',
      description: `What each strategy yielded and held on a day in the past. ${NEEDS} ${DECIMALS}`,
    },
    { day: z.iso.date().describe('Such as 2026-01-31.') },
    async ({ core }, input) => core.strategyRisks.listHistory(input),
  ),
  tool(
    'get_quotas',
    {
      title: 'Get the quotas',
      description: `How many keys, members, wallets, webhooks and recipients there are and may be. ${NEEDS}`,
    },
    {},
    async ({ core }) => core.organization.quotas(),
  ),
]
