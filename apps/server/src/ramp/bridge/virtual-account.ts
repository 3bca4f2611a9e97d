import { formatDecimal, type Log, validationError } from '../../kernel/index.ts'
import { feeTermsOf } from '../pricing/fees.ts'
import type { AccountRequest, VirtualAccount } from '../provider/port.ts'
import { throwAccountError } from './account-errors.ts'
import { createOnce, isReferenceInUse } from './create-once.ts'
import { currencyOf, railOf } from './currencies-and-rails.ts'
import { type BridgeJson, objectOf, textOf, textsOf } from './json-fields.ts'
import { fetchBridgeCustomerId, type KycLinkParts } from './kyc-link.ts'

export interface BridgeAccountParts extends KycLinkParts {
  readonly log: Log
}

/**
 * Opens a bank account in the customer's name whose payments are delivered to the wallet. Errors: ASSET_NOT_SUPPORTED,
 * KYB_NOT_APPROVED, VALIDATION_ERROR (an unsupported rail), CONFLICT (the partner has such an account),
 * RAMP_UNAVAILABLE.
 */
export async function openVirtualAccount(parts: BridgeAccountParts, request: AccountRequest): Promise<VirtualAccount> {
  const destination = {
    payment_rail: request.blockchain,
    currency: currencyOf(request),
    address: request.walletAddress,
  }
  const customer = await fetchBridgeCustomerId(parts, request.kybReference)
  const path = `/customers/${customer}/virtual_accounts`
  const developerFee = await developerFeePercent(parts, request.organizationId)
  const account = await createOnce(
    parts,
    {
      organizationId: request.organizationId,
      kind: 'virtual_account',
      parameters: [customer, request.blockchain, request.asset, request.walletAddress, developerFee],
      isShared: false,
    },
    {
      async find(reference) {
        for await (const page of parts.client.pages(path)) {
          for (const account of page) {
            const matches = reference === null ? matchesRequest(account, destination) : account.id === reference
            if (matches && !(await isReferenceInUse(parts.db, textOf(account, 'id') ?? ''))) return account
          }
        }
        return undefined
      },
      create: (key) =>
        parts.client.post(path, { source: { currency: 'usd' }, destination, developer_fee_percent: developerFee }, key),
      accept: (account) => void virtualAccountFrom(account, request),
    },
  ).catch((error: unknown) => throwAccountError(parts.log, error))
  return virtualAccountFrom(account, request)
}

function matchesRequest(account: BridgeJson, wanted: Readonly<Record<string, string>>): boolean {
  const destination = objectOf(account, 'destination')
  const names = Object.keys(wanted)
  return (
    account.status === 'activated' && names.every((name) => equalsIgnoringCase(textOf(destination, name), wanted[name]))
  )
}

/** The partner may return addresses in any case. */
const equalsIgnoringCase = (a: string | undefined, b: string | undefined) => a?.toLowerCase() === b?.toLowerCase()

function virtualAccountFrom(account: BridgeJson, { rail }: AccountRequest): VirtualAccount {
  const instructions = objectOf(account, 'source_deposit_instructions')
  const rails = textsOf(instructions, 'payment_rails').map(railOf)
  const capabilities = (['ach', 'fedwire', 'swift'] as const).filter((one) => rails.includes(one))
  if (!capabilities.includes(rail)) throw validationError('rail', `must be one of ${capabilities.join(', ')}`)
  return {
    reference: textOf(account, 'id') ?? '',
    accountNumber: textOf(instructions, 'bank_account_number') ?? '',
    routingNumber: textOf(instructions, 'bank_routing_number') ?? '',
    bankName: textOf(instructions, 'bank_name') ?? '',
    capabilities: [rail, ...capabilities.filter((one) => one !== rail)],
  }
}

/** The developer's share of the fee in percent, which the partner collects for us. */
export async function developerFeePercent(
  { db }: Pick<BridgeAccountParts, 'db'>,
  organizationId: number,
): Promise<string> {
  const { feeBasisPoints, developerShareBasisPoints } = await feeTermsOf(db, organizationId)
  return formatDecimal(BigInt(feeBasisPoints) * BigInt(developerShareBasisPoints), 6)
}
