import type { Argument } from './decode.ts'
import { bytesOf, type SolanaAccount, type SolanaInstruction } from './solana-message.ts'

/** What one instruction says, read in this browser. */
export interface DecodedInstruction {
  /** Undefined: a program that is not known here. */
  readonly program: string | undefined
  /** Undefined: an instruction of it that is not. */
  readonly name: string | undefined
  readonly args: readonly Argument[]
  readonly accounts: readonly (SolanaAccount & { readonly role: string | undefined })[]
}

interface Known {
  readonly name: string
  /** The beginning of the data, in hex. */
  readonly tag: string
  /** What follows it: each a 64-bit number. */
  readonly args: readonly string[]
  readonly roles: readonly string[]
}

const OWN = ['owner', 'token account', 'share account'] as const
const PROGRAMS_TAIL = ['token program', 'associated token program', 'system program'] as const
const JUPITER_POOL = ['share mint', 'token reserve', 'supply position', 'rate model', 'vault'] as const
const JUPITER_TAIL = ['liquidity', 'liquidity program', 'rewards rate model', ...PROGRAMS_TAIL] as const
const jupiterWithdrawal = [
  'owner',
  'share account',
  'token account',
  'lending admin',
  'lending',
  'token mint',
  ...JUPITER_POOL,
  'claim account',
  ...JUPITER_TAIL,
]

/** The first eight bytes of SHA-256 of `global:` and the name, as Anchor programs know their instructions. */
export const ANCHOR = {
  deposit: 'f223c68952e1f2b6',
  withdraw: 'b712469c946da122',
  redeem: 'b80c569546c461e1',
  refresh_reserve: '02da8aeb4fc91966',
  deposit_reserve_liquidity: 'a9c91e7e06cd6644',
  redeem_reserve_collateral: 'ea75b57db98edc1d',
} as const

const SHARE_VAULT = [
  'owner',
  'vault',
  'token mint',
  'share mint',
  'vault tokens',
  'token account',
  'share account',
  'token program',
] as const
const KAMINO_TAIL = ['share token program', 'token program', 'instructions sysvar'] as const

const PROGRAMS: Readonly<Record<string, { readonly title: string; readonly instructions: readonly Known[] }>> = {
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: {
    title: 'Associated token accounts',
    instructions: [
      {
        name: 'open the token account if it is missing',
        tag: '01',
        args: [],
        roles: ['payer', 'token account', 'owner', 'mint', 'system program', 'token program'],
      },
    ],
  },
  KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD: {
    title: 'Kamino Lend',
    instructions: [
      {
        name: 'refresh_reserve',
        tag: ANCHOR.refresh_reserve,
        args: [],
        roles: ['reserve', 'lending market', 'oracle', 'oracle', 'oracle', 'oracle'],
      },
      {
        name: 'deposit_reserve_liquidity',
        tag: ANCHOR.deposit_reserve_liquidity,
        args: ['amount'],
        roles: [
          'owner',
          'reserve',
          'lending market',
          'market authority',
          'token mint',
          'supply vault',
          'share mint',
          'token account',
          'share account',
          ...KAMINO_TAIL,
        ],
      },
      {
        name: 'redeem_reserve_collateral',
        tag: ANCHOR.redeem_reserve_collateral,
        args: ['shares'],
        roles: [
          'owner',
          'lending market',
          'reserve',
          'market authority',
          'token mint',
          'share mint',
          'supply vault',
          'share account',
          'token account',
          ...KAMINO_TAIL,
        ],
      },
    ],
  },
  jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9: {
    title: 'Jupiter Lend',
    instructions: [
      {
        name: 'deposit',
        tag: ANCHOR.deposit,
        args: ['amount'],
        roles: [...OWN, 'token mint', 'lending admin', 'lending', ...JUPITER_POOL, ...JUPITER_TAIL],
      },
      { name: 'withdraw', tag: ANCHOR.withdraw, args: ['amount'], roles: jupiterWithdrawal },
      { name: 'redeem', tag: ANCHOR.redeem, args: ['shares'], roles: jupiterWithdrawal },
    ],
  },
  HGbw7ASW3gMAdLERu6wy3JpXV1hjRKdCziZxoWsnPjZR: {
    title: 'Share vault of the sandbox',
    instructions: [
      { name: 'deposit', tag: '01', args: ['amount', 'least shares'], roles: SHARE_VAULT },
      { name: 'redeem', tag: '02', args: ['shares', 'least amount'], roles: SHARE_VAULT },
    ],
  },
  ComputeBudget111111111111111111111111111111: { title: 'Compute budget', instructions: [] },
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: { title: 'Memo', instructions: [] },
}

const U64_BYTES = 8
const ALL = 0xffff_ffff_ffff_ffffn

/** Decodes an instruction of a program that plans use; of any other the accounts and the data remain. */
export function decodeInstruction({ contract, accounts, data }: SolanaInstruction): DecodedInstruction {
  const bytes = bytesOf(data)
  const program = PROGRAMS[contract]
  const known = program?.instructions.find((each) => isOf(each, bytes, accounts.length))
  return {
    program: program?.title,
    name: known?.name,
    args: known === undefined ? [] : argsOf(known, bytes),
    accounts: accounts.map((account, at) => ({ ...account, role: known?.roles[at] })),
  }
}

const isOf = ({ tag, args, roles }: Known, bytes: Uint8Array, accounts: number): boolean =>
  accounts === roles.length && bytes.length === tag.length / 2 + args.length * U64_BYTES && hexOf(bytes).startsWith(tag)

function argsOf({ tag, args }: Known, bytes: Uint8Array<ArrayBuffer>): Argument[] {
  const view = new DataView(bytes.buffer, tag.length / 2)
  return args.map((name, at) => {
    const value = view.getBigUint64(at * U64_BYTES, true)
    const isAmount = name.endsWith('amount')
    return {
      name,
      value: String(value),
      kind: value === ALL ? 'everything' : isAmount ? 'amount' : 'other',
    }
  })
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
