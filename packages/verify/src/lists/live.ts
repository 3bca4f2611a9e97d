import type { AllowList } from '../allow-list.ts'
import { parseAllowList } from '../parse-allow-list.ts'
import { EVM_FEES, SOLANA_FEES } from './fees.ts'

const usdc = (address: string) => ({ symbol: 'USDC', address, decimals: 6 })
const usdt = (address: string) => ({ symbol: 'USDT', address, decimals: 6 })
const aave = (token: string, contract: string) => ({ name: `Aave V3 ${token}`, protocol: 'aave-v3', token, contract })
const comet = (token: string, contract: string) => ({
  name: `Compound V3 ${token}`,
  protocol: 'compound-v3',
  token,
  contract,
})
const vault = (name: string, token: string, contract: string) => ({ name, protocol: 'erc4626', token, contract })
const kamino = (token: string, reserve: string, supplyVault: string, collateralMint: string) => ({
  name: `Kamino ${token}`,
  protocol: 'kamino',
  token,
  program: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
  lendingMarket: '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF',
  // The program issues a reserve's first shares one for one.
  sharesPerUnit: '1',
  reserve,
  supplyVault,
  collateralMint,
})
const jupiter = (token: string, lending: string, shareMint: string) => ({
  name: `Jupiter Lend ${token}`,
  protocol: 'jupiter-lend',
  token,
  program: 'jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9',
  liquidityProgram: 'jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC',
  rewardsProgram: 'jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar',
  sharesPerUnit: '1',
  lending,
  shareMint,
})

/**
 * Public chains. Sources: the tokens from Circle's and Tether's own lists of contracts (developers.circle.com,
 * tether.to); Aave's pools from aave.com/docs (PoolAddressesProvider.getPool); Compound's Comets from
 * `compound-finance/comet` (deployments/<chain>/<token>/roots.json); Morpho's vaults from app.morpho.org,
 * Spark's from its address registry, Fluid's from its deployments, Euler's from
 * `euler-xyz/euler-labels`, Yearn's from yearn.fi, Kamino's from the market's own
 * pages (app.kamino.finance) and its reserves' accounts, Jupiter Lend's from its SDK (`@jup-ag/lend`). Each vault and reserve was found with the same chain, token and
 * accounts in a second, independent public source before it was added here.
 */
const LIVE = {
  version: 1,
  chains: [
    {
      family: 'evm',
      blockchain: 'ethereum',
      chainId: 1,
      fees: EVM_FEES.ethereum,
      tokens: [usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'), usdt('0xdAC17F958D2ee523a2206206994597C13D831ec7')],
      venues: [
        aave('USDC', '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2'),
        aave('USDT', '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2'),
        comet('USDC', '0xc3d688B66703497DAA19211EEdff47f25384cdc3'),
        comet('USDT', '0x3Afdc9BCA9213A35503b077a6072F3D0d5AB0840'),
        vault('Steakhouse USDC', 'USDC', '0xBEEF01735c132Ada46AA9aA4c54623cAA92A64CB'),
        vault('Gauntlet USDC Prime', 'USDC', '0xdd0f28e19C1780eb6396170735D45153D261490d'),
        vault('Spark Savings USDC', 'USDC', '0xBc65ad17c5C0a2A4D159fa5a503f4992c7B545FE'),
        vault('Fluid USDC', 'USDC', '0x9Fb7b4477576Fe5B32be4C1843aFB1e55F251B33'),
        vault('Fluid USDT', 'USDT', '0x5C20B550819128074FD538Edf79791733ccEdd18'),
        vault('Euler Prime USDC', 'USDC', '0x797DD80692c3b2dAdabCe8e30C07fDE5307D48a9'),
        vault('Euler Prime USDT', 'USDT', '0x313603FA690301b0CaeEf8069c065862f9162162'),
        vault('Yearn USDC-1', 'USDC', '0xBe53A109B494E5c9f97b9Cd39Fe969BE68BF6204'),
      ],
    },
    {
      family: 'evm',
      blockchain: 'polygon',
      chainId: 137,
      fees: EVM_FEES.polygon,
      tokens: [usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'), usdt('0xc2132D05D31c914a87C6611C10748AEb04B58e8F')],
      venues: [
        aave('USDC', '0x794a61358D6845594F94dc1DB02A252b5b4814aD'),
        aave('USDT', '0x794a61358D6845594F94dc1DB02A252b5b4814aD'),
        vault('Compound USDC', 'USDC', '0x781FB7F6d845E3bE129289833b04d43Aa8558c42'),
      ],
    },
    {
      family: 'evm',
      blockchain: 'base',
      chainId: 8453,
      fees: EVM_FEES.base,
      tokens: [usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')],
      venues: [
        aave('USDC', '0xA238Dd80C259a72e81d7e4664a9801593F98d1c5'),
        comet('USDC', '0xb125E6687d4313864e53df431d5425969c15Eb2F'),
        vault('Moonwell Flagship USDC', 'USDC', '0xc1256Ae5FF1cf2719D4937adb3bbCCab2E00A2Ca'),
        vault('Spark Savings USDC', 'USDC', '0x3128a0F7f0ea68E7B7c9B00AFa7E41045828e858'),
        vault('Fluid USDC', 'USDC', '0xf42f5795D9ac7e9D757dB633D693cD548Cfd9169'),
        vault('Euler Base USDC', 'USDC', '0x0A1a3b5f2041F33522C4efc754a7D096f880eE16'),
      ],
    },
    {
      family: 'svm',
      blockchain: 'solana',
      genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
      fees: SOLANA_FEES,
      tokens: [
        usdc('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
        usdt('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
      ],
      venues: [
        kamino(
          'USDC',
          'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59',
          'Bgq7trRgVMeq33yt235zM2onQ4bRDBsY5EWiTetF4qw6',
          'B8V6WVjPxW1UGwVDfxH2d2r8SyT4cqn7dQRK6XneVa7D',
        ),
        kamino(
          'USDT',
          'H3t6qZ1JkguCNTi9uzVKqQ7dvt2cum4XiXWom6Gn5e5S',
          '2Eff8Udy2G2gzNcf2619AnTx3xM4renEv4QrHKjS1o9N',
          'B8zf4kojJbwgCRKA7rLaLhRCZBGhgAJp8wPBVZZHMhSv',
        ),
        jupiter('USDC', '2vVYHYM8VYnvZqQWpTJSj8o8DBf1wM8pVs3bsTgYZiqJ', '9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D'),
        jupiter('USDT', 'F7tLdeF2YZZex9MR8HgGggyFiz7UU2UgUube2tmfwNPE', 'Cmn4v2wipYV41dkakDvCgFJpxhtaaKt11NyWV8pjSE8A'),
      ],
    },
  ],
}

/** The list that live uses unless a custom one is configured. */
export const liveAllowList: AllowList = parseAllowList(LIVE)
