import type { Schema } from '../../api/types.ts'

export interface PlannedCalls {
  readonly environment: string
  readonly organizationId: number
  readonly operation: Pick<Schema<'CoreOperation'>, 'id' | 'opWallet' | 'steps'>
}

const textOf = (address: string) => (/^0x[0-9a-f]*$/i.test(address) ? address.toLowerCase() : address)

/**
 * The canonical text of what an operation calls, as the document on approvals describes it. It is built here from
 * what this page shows, so its hash is one over what the reader sees.
 */
export function callsText({ environment, organizationId, operation }: PlannedCalls): string {
  const lines = [
    'weir calls 1',
    `environment: ${environment}`,
    `organization: ${organizationId}`,
    `operation: ${operation.id}`,
    `blockchain: ${operation.opWallet.blockchain.toLowerCase()}`,
    `wallet: ${textOf(operation.opWallet.address)}`,
    ...operation.steps.flatMap(({ calls = [] }, at) => [`step: ${at + 1}`, ...calls.flatMap(callLines)]),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function callLines({ contract, value, accounts = [], data }: Schema<'PlannedCall'>): string[] {
  return [
    `contract: ${textOf(contract)}`,
    ...(value === undefined ? [] : [`value: ${value}`]),
    ...accounts.map(
      ({ address, signer, writable }) =>
        `account: ${textOf(address)}${signer ? ' signer' : ''}${writable ? ' writable' : ''}`,
    ),
    `data: ${data}`,
  ]
}
