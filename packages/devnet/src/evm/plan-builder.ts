import { type Address, encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import type { Role, RoleAccounts } from './accounts.ts'
import { type Artifact, linkedBytecode } from './artifacts.ts'

/**
 * One transaction of a deployment, identified by sender and nonce. They alone determine each contract's
 * address: addresses are known without a chain, and a role's nonce shows which steps are missing.
 */
export type Step = {
  readonly label: string
  readonly role: Role
  readonly nonce: number
  readonly to: Address | null
  /** Encodes the call. Reads artifacts, so it is called only for steps that are sent. */
  readonly data: (artifact: (path: string) => Artifact) => Hex
}

interface ContractCallTarget {
  readonly to: Address
  readonly functionName: string
  readonly args: readonly unknown[]
}

export type PlanBuilder = {
  readonly accounts: RoleAccounts
  readonly steps: readonly Step[]
  /** Plans a contract creation, by the treasury unless stated otherwise. Plan the libraries that it links to first. */
  deploy(path: string, args?: readonly unknown[], role?: Role): Address
  /** Plans a function call to `to`, a contract of type `path`. */
  call(role: Role, path: string, target: ContractCallTarget): void
}

export function planBuilder(accounts: RoleAccounts): PlanBuilder {
  const steps: Step[] = []
  const nonces: Record<Role, number> = { treasury: 0, lender: 0, borrower: 0, curator: 0, governor: 0 }
  const libraries = new Map<string, Address>()

  function library(name: string): Address {
    const address = libraries.get(name)
    if (address === undefined) throw new Error(`Library ${name} is not planned before the contract that links to it`)
    return address
  }

  return {
    accounts,
    steps,
    deploy(path, args = [], role = 'treasury') {
      const nonce = nonces[role]++
      const address = getContractAddress({ from: accounts[role].address, nonce: BigInt(nonce) })
      libraries.set(path.slice(path.indexOf('/') + 1), address)
      steps.push({
        label: `deploy ${path}`,
        role,
        nonce,
        to: null,
        data: (artifact) => {
          const { abi } = artifact(path)
          return encodeDeployData({ abi, bytecode: linkedBytecode(artifact(path), library), args: [...args] })
        },
      })
      return address
    },
    call(role, path, { to, functionName, args }) {
      steps.push({
        label: `${path}.${functionName} by ${role}`,
        role,
        nonce: nonces[role]++,
        to,
        data: (artifact) => encodeFunctionData({ abi: artifact(path).abi, functionName, args: [...args] }),
      })
    },
  }
}

/** The address of the `nth` contract (counted from 1) that the contract `creator` creates. */
export function createdBy(creator: Address, nth: number): Address {
  return getContractAddress({ from: creator, nonce: BigInt(nth) })
}
