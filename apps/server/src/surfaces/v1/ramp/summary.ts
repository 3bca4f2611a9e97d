import Type from 'typebox'
import { formatDecimal } from '../../../kernel/index.ts'
import {
  feeTermsOf,
  findOrganizationCustomer,
  formatDollars,
  listAccounts,
  quoteRamp,
  type RampParts,
  SUMMARY_DECIMALS,
  summarizeTransactions,
} from '../../../ramp/index.ts'
import type { App } from '../../http/index.ts'
import { baseUnits, blockchainFilter, blockchainQuery, orNull, wordFilter } from '../schemas.ts'
import { periodOf, periodQuery } from './period.ts'
import { centsOfText, kybStatus, OfframpAccount, presentOfframp, reads, TYPES, usd } from './schemas.ts'

const count = (description: string) => Type.Integer({ description })
const byStatus = Type.Record(Type.String(), Type.Integer(), { description: 'How many stand where, by status.' })
const delivered = Type.String({ description: 'Tokens that completed transactions moved, decimal.' })
const volume = usd('What completed transactions moved, fees included.')
const fees = usd('Their fees.')

const RampSummaryRecord = Type.Object(
  {
    total_volume_usd: volume,
    total_fees_usd: fees,
    total_delivered: delivered,
    active_recipients: count('Recipients with a transaction.'),
    transaction_count: count('Transactions, whatever became of them.'),
    by_status: byStatus,
    period_breakdown: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'Day, UTC, on which they began.' }),
        volume_usd: volume,
        transactions: count('Transactions, whatever became of them.'),
      }),
      { description: 'Days with transactions, oldest first.' },
    ),
  },
  { $id: 'RampSummary', description: 'Sums over ramp transactions.' },
)
const CamelSummary = Type.Object(
  {
    totalVolumeUsd: volume,
    totalFeesUsd: fees,
    totalDelivered: delivered,
    activeRecipients: count('Recipients with a transaction.'),
    transactionCount: count('Transactions, whatever became of them.'),
    byStatus,
    periodBreakdown: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'Day, UTC, on which they began.' }),
        volumeUsd: volume,
        transactions: count('Transactions, whatever became of them.'),
      }),
      { description: 'Days with transactions, oldest first.' },
    ),
  },
  { $id: 'OrganizationRampSummary', description: 'Sums over ramp transactions, in camelCase.' },
)
const QuoteRecord = Type.Object(
  {
    type: Type.Enum([...TYPES], { description: 'onramp or offramp.' }),
    source_asset: Type.String({ description: 'USD, or the token.' }),
    destination_asset: Type.String({ description: 'The token, or USD.' }),
    usd_amount: usd('Whole amount, the fee included.'),
    total_fee: usd('Fee.'),
    developer_fee: usd('Part of the fee that is your own.'),
    net_amount: usd('What is left: delivered in tokens, or paid out.'),
    delivered_amount: Type.String({ description: 'Tokens that are delivered, or that pay this amount; decimal.' }),
    delivered_amount_base_units: baseUnits('The same.'),
    exchange_rate: Type.String({ description: 'USD for one token.' }),
    fee_basis_points: count('Fee in hundredths of a percent.'),
  },
  { $id: 'RampQuote', description: 'What a payment would cost now.' },
)

/** Sums, quotes and fees (contract 11). */
export function rampSummaryRoutes(app: App, parts: RampParts): void {
  const tags = ['Ramp: transactions']
  const querystring = Type.Object(periodQuery)

  app.get(
    '/v1/ramp/transactions/summary',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'summarizeRampTransactions',
        summary: 'Sum ramp transactions up',
        description: 'Volume, fees and tokens are those of completed transactions; counts are of all.',
        querystring,
        response: { 200: RampSummaryRecord },
      },
    },
    async ({ query, credential }) => {
      const summary = await summarizeTransactions(parts, credential.organizationId, periodOf(query))
      return {
        total_volume_usd: formatDollars(summary.volumeCents),
        total_fees_usd: formatDollars(summary.feesCents),
        total_delivered: formatDecimal(summary.delivered, SUMMARY_DECIMALS),
        active_recipients: summary.activeRecipients,
        transaction_count: summary.transactions,
        by_status: { ...summary.byStatus },
        period_breakdown: summary.byDay.map(({ date, volumeCents, transactions }) => ({
          date,
          volume_usd: formatDollars(volumeCents),
          transactions,
        })),
      }
    },
  )

  app.get(
    '/v1/ramp/org/ramp-summary',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'summarizeOrganizationRamp',
        summary: 'Sum ramp transactions up, in camelCase',
        description: 'The same as /v1/ramp/transactions/summary in other letters.',
        querystring,
        response: { 200: CamelSummary },
      },
    },
    async ({ query, credential }) => {
      const summary = await summarizeTransactions(parts, credential.organizationId, periodOf(query))
      return {
        totalVolumeUsd: formatDollars(summary.volumeCents),
        totalFeesUsd: formatDollars(summary.feesCents),
        totalDelivered: formatDecimal(summary.delivered, SUMMARY_DECIMALS),
        activeRecipients: summary.activeRecipients,
        transactionCount: summary.transactions,
        byStatus: { ...summary.byStatus },
        periodBreakdown: summary.byDay.map(({ date, volumeCents, transactions }) => ({
          date,
          volumeUsd: formatDollars(volumeCents),
          transactions,
        })),
      }
    },
  )

  app.get(
    '/v1/ramp/org/offramp-status',
    {
      config: reads,
      schema: {
        tags: ['Ramp: accounts'],
        operationId: 'getOfframpStatus',
        summary: 'Show whether your organization can be paid out',
        description: 'Its verification and its own off-ramp accounts.',
        response: {
          200: Type.Object(
            {
              kybStatus: orNull(kybStatus),
              offrampAccounts: Type.Array(OfframpAccount, { description: 'Newest first.' }),
            },
            { $id: 'OfframpStatus', description: 'Whether and where to your organization can be paid out.' },
          ),
        },
      },
    },
    async ({ credential: { organizationId } }) => {
      const customer = await findOrganizationCustomer(parts.db, organizationId)
      const mine = { customerId: customer?.customerId ?? 0, direction: 'offramp' as const }
      const { accounts } = await listAccounts(parts, organizationId, mine)
      return { kybStatus: customer?.kybStatus ?? null, offrampAccounts: accounts.map(presentOfframp) }
    },
  )

  app.get(
    '/v1/ramp/quote',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'quoteRamp',
        summary: 'Ask what a payment would cost',
        description:
          'Before any money moves; a transaction of this amount has these numbers in its record. Error: ASSET_NOT_SUPPORTED.',
        querystring: Type.Object({
          type: Type.Optional(Type.String({ description: 'onramp (unless you say otherwise) or offramp.' })),
          usd_amount: Type.String({ description: 'Whole amount in USD, as `50000` or `50000.00`.' }),
          asset: Type.Optional(Type.String({ description: 'USDC unless you say otherwise.' })),
          blockchain: blockchainQuery,
        }),
        response: { 200: QuoteRecord },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const direction = wordFilter('type', query.type, TYPES) ?? 'onramp'
      const quote = await quoteRamp(parts, {
        organizationId,
        direction,
        usdCents: centsOfText('usd_amount', query.usd_amount),
        asset: query.asset ?? 'USDC',
        blockchain: blockchainFilter(query.blockchain),
      })
      return {
        type: direction,
        source_asset: direction === 'onramp' ? 'USD' : quote.asset,
        destination_asset: direction === 'onramp' ? quote.asset : 'USD',
        usd_amount: formatDollars(quote.usdCents),
        total_fee: formatDollars(quote.feeCents),
        developer_fee: formatDollars(quote.developerFeeCents),
        net_amount: formatDollars(quote.netCents),
        delivered_amount: formatDecimal(quote.tokenAmount, quote.decimals),
        delivered_amount_base_units: quote.tokenAmount.toString(),
        exchange_rate: quote.exchangeRate,
        fee_basis_points: quote.terms.feeBasisPoints,
      }
    },
  )

  app.get(
    '/v1/ramp/fees',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getRampFees',
        summary: 'Show what the ramp costs you',
        description: 'Fees are rounded to the cent, half a cent up.',
        response: {
          200: Type.Object(
            {
              fee_basis_points: count('Fee in hundredths of a percent of the amount.'),
              developer_share_basis_points: count(
                'Part of the fee that is your own, in hundredths of a percent of it.',
              ),
            },
            { $id: 'RampFees', description: 'Terms of your organization.' },
          ),
        },
      },
    },
    async ({ credential }) => {
      const terms = await feeTermsOf(parts.db, credential.organizationId)
      return {
        fee_basis_points: terms.feeBasisPoints,
        developer_share_basis_points: terms.developerShareBasisPoints,
      }
    },
  )
}
