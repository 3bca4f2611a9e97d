import Type from 'typebox'
import type { CallPart } from '../../../chains/index.ts'

export const PlannedCall = Type.Object(
  {
    contract: Type.String({ description: 'Address of the contract or program.' }),
    value: Type.Optional(
      Type.String({ description: 'Native coins that it sends, in their smallest unit; absent on Solana.' }),
    ),
    accounts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            address: Type.String({ description: 'Address.' }),
            signer: Type.Boolean({ description: 'Whether it signs.' }),
            writable: Type.Boolean({ description: 'Whether it may change.' }),
          },
          { description: 'An account.' },
        ),
        { description: 'Accounts in order; on Solana only.' },
      ),
    ),
    data: Type.String({ description: 'Call data: hex on EVM chains, base64 on Solana.' }),
  },
  { $id: 'PlannedCall', description: 'What a step asks one contract or program to do.' },
)

export const presentPlannedCall = ({ contract, value, accounts, data }: CallPart) => ({
  contract,
  ...(value !== undefined && { value: value.toString() }),
  ...(accounts && { accounts: [...accounts] }),
  data,
})
