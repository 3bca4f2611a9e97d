import Type from 'typebox'
import type { ApprovalContent, SignedApproval } from '../../../operations/index.ts'
import { blockchainText, id } from '../../http/index.ts'
import { dateTime } from '../schemas.ts'

export const ApprovalContentData = Type.Object(
  {
    environment: Type.Enum(['sandbox', 'live'], { description: 'An approval of the sandbox does not count in live.' }),
    organizationId: id('Organization id.'),
    operationId: id('Operation id.'),
    walletId: id('Wallet id.'),
    walletAddress: Type.String({ description: 'Address of the wallet. It signs, pays, and is the only receiver.' }),
    blockchain: blockchainText('Chain, in lower case.'),
    type: Type.Enum(['SUPPLY', 'UNWIND'], { description: 'Type of the operation.' }),
    token: Type.String({ description: 'Address of the token.' }),
    amount: Type.String({ description: 'Base units, decimal; `all` for a full withdrawal.' }),
    venue: Type.String({
      description: "Address of the venue: Aave's pool, the vault, Kamino's reserve, or Jupiter Lend's market.",
    }),
    plannedAt: dateTime('When the operation was planned.'),
  },
  { $id: 'ApprovalContent', description: 'What approvers sign of an operation.' },
)

const field = (description: string) => Type.String({ description: `${description} In base64url.` })

export const AgentApproval = Type.Object(
  {
    content: ApprovalContentData,
    signatures: Type.Array(
      Type.Object({
        userId: id('User id of the approver; for people.'),
        credentialId: field('Credential id of the passkey.'),
        authenticatorData: field('The statement of the authenticator: relying party, flags and counter.'),
        clientDataJSON: field('What the browser signed for: type, challenge and origin.'),
        signature: field('Signature over both.'),
      }),
      { description: 'WebAuthn assertions of members who may approve now.' },
    ),
  },
  { $id: 'AgentApproval', description: 'Approvals of the operation that people signed with their passkeys.' },
)

export const presentApprovalContent = (content: ApprovalContent) => ({
  ...content,
  amount: content.amount.toString(),
  plannedAt: content.plannedAt.toISOString(),
})

export const presentSignedApproval = ({ content, signatures }: SignedApproval) => ({
  content: presentApprovalContent(content),
  signatures: signatures.map(({ userId, credentialId, authenticatorData, clientData, signature }) => ({
    userId,
    credentialId: credentialId.toString('base64url'),
    authenticatorData: authenticatorData.toString('base64url'),
    clientDataJSON: clientData.toString('base64url'),
    signature: signature.toString('base64url'),
  })),
})
