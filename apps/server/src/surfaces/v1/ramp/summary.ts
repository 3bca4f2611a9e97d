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
import { type App, enumQuery } from '../../http/index.ts'
import { baseUnits, blockchainFilter, blockchainQuery, enumFilter, orNull } from '../schemas.ts'
import { periodOf, periodQuery } from './period.ts'
import { centsOfText, kybStatus, OfframpAccount, presentOfframp, reads, TYPES, usd } from './schemas.ts'

const count = (description: string) => Type.Integer({ description })
const byStatus = Type.Record(Type.String(), Type.Integer(), { description: 'Number of transactions by status.' })
const delivered = Type.String({ description: 'Decimal token amount moved by completed transactions.' })
const volume = usd('Volume of completed transactions, including fees.')
const fees = usd('Fees of completed transactions.')

const RampSummaryRecord = Type.Object(
  {
    total_volume_usd: volume,
    total_fees_usd: fees,
    total_delivered: delivered,
    active_recipients: count('Number of recipients with a transaction.'),
    transaction_count: count('Number of transactions, in any status.'),
    by_status: byStatus,
    period_breakdown: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'Day of creation, UTC.' }),
        volume_usd: volume,
        transactions: count('Number of transactions, in any status.'),
      }),
      { description: 'Days with transactions, oldest first.' },
    ),
  },
  { $id: 'RampSummary', description: 'Totals over ramp transactions.' },
)
const CamelSummary = Type.Object(
  {
    totalVolumeUsd: volume,
    totalFeesUsd: fees,
    totalDelivered: delivered,
    activeRecipients: count('Number of recipients with a transaction.'),
    transactionCount: count('Number of transactions, in any status.'),
    byStatus,
    periodBreakdown: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'Day of creation, UTC.' }),
        volumeUsd: volume,
        transactions: count('Number of transactions, in any status.'),
      }),
      { description: 'Days with transactions, oldest first.' },
    ),
  },
  { $id: 'OrganizationRampSummary', description: 'Totals over ramp transactions, in camelCase.' },
)
const QuoteRecord = Type.Object(
  {
    type: Type.Enum([...TYPES], { description: 'onramp or offramp.' }),
    source_asset: Type.String({ description: 'On-ramp: USD. Off-ramp: the token.' }),
    destination_asset: Type.String({ description: 'On-ramp: the token. Off-ramp: USD.' }),
    usd_amount: usd('Gross amount, including the fee.'),
    total_fee: usd('Fee.'),
    developer_fee: usd('Your share of the fee.'),
    net_amount: usd('Amount after fees, delivered in tokens or paid out.'),
    delivered_amount: Type.String({
      description: 'Decimal token amount. On-ramp: delivered. Off-ramp: needed for this amount.',
    }),
    delivered_amount_base_units: baseUnits('The same amount as delivered_amount.'),
    exchange_rate: Type.String({ description: 'USD per token.' }),
    fee_basis_points: count('Fee in basis points.'),
  },
  { $id: 'RampQuote', description: 'The current cost of a payment.' },
)

/** Summaries, quotes and fees (contract 11). */
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
        summary: 'Summarize ramp transactions',
        description: 'Volume, fees and tokens cover completed transactions; counts cover all transactions.',
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
        summary: 'Summarize ramp transactions, in camelCase',
        description: 'The same as /v1/ramp/transactions/summary, with camelCase fields.',
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
        summary: 'Get the off-ramp status of your organization',
        description: 'Returns the verification status and the off-ramp accounts of the organization itself.',
        response: {
          200: Type.Object(
            {
              kybStatus: orNull(kybStatus),
              offrampAccounts: Type.Array(OfframpAccount, { description: 'Newest first.' }),
            },
            { $id: 'OfframpStatus', description: 'Verification status and off-ramp accounts of the organization.' },
          ),
        },
      },
    },
    async ({ credential: { organizationId } }) => {
      const customer = await findOrganizationCustomer(parts, organizationId)
      const own = { customerId: customer?.customerId ?? 0, direction: 'offramp' as const }
      const { accounts } = await listAccounts(parts, organizationId, own)
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
        summary: 'Quote a payment',
        description:
          'Returns the cost of a payment before any money moves. A transaction of this amount has the same numbers in its record. Error: ASSET_NOT_SUPPORTED.',
        querystring: Type.Object({
          type: Type.Optional(enumQuery(TYPES, 'Defaults to onramp; case-insensitive.')),
          usd_amount: Type.String({ description: 'Gross amount in USD, such as `50000` or `50000.00`.' }),
          asset: Type.Optional(Type.String({ description: 'Token symbol. Defaults to USDC.' })),
          blockchain: blockchainQuery,
        }),
        response: { 200: QuoteRecord },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const direction = enumFilter('type', query.type, TYPES) ?? 'onramp'
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
        summary: 'Get the ramp fees',
        description: 'Fees are rounded to cents, half a cent up.',
        response: {
          200: Type.Object(
            {
              fee_basis_points: count('Fee in basis points of the amount.'),
              developer_share_basis_points: count('Your share of the fee, in basis points of the fee.'),
            },
            { $id: 'RampFees', description: 'Fee terms of your organization.' },
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
