import { base58 } from '@scure/base'
import type { ProgramDeployment } from '../../port/families.ts'
import type { SolanaContext } from '../context.ts'
import { type AccountSnapshot, readAccounts } from './accounts.ts'

/** Tags of the upgradeable loader's accounts. */
const PROGRAM = 2
const PROGRAM_DATA = 3
/** A program: the tag, then the address of its data. */
const PROGRAM_SIZE = 36
/** Its data: the tag, the slot, and an optional authority; the code follows. */
const HEADER_SIZE = 45

/**
 * How programs were last deployed, in address order. `undefined`: nobody can replace it, or it is no program, or its data
 * is missing. Two HTTP calls; code is not transferred.
 */
export async function programDeployments(
  context: Pick<SolanaContext, 'rpc'>,
  programs: readonly string[],
): Promise<(ProgramDeployment | undefined)[]> {
  if (programs.length === 0) return []
  const read = (addresses: readonly string[], length: number) =>
    readAccounts(context, addresses, 'confirmed', { dataSlice: { offset: 0, length } })
  const places = (await read(programs, PROGRAM_SIZE)).map(dataAddressIn)
  const known = places.filter((place) => place !== undefined)
  const headers = known.length === 0 ? [] : await read(known, HEADER_SIZE)
  const byPlace = new Map(known.map((place, index) => [place, deploymentIn(place, headers[index]!)]))
  return places.map((place) => (place === undefined ? undefined : byPlace.get(place)))
}

function dataAddressIn({ account }: AccountSnapshot): string | undefined {
  const data = account?.data
  if (data?.length !== PROGRAM_SIZE || data.readUInt32LE(0) !== PROGRAM) return undefined
  return base58.encode(data.subarray(4, PROGRAM_SIZE))
}

function deploymentIn(programData: string, { account }: AccountSnapshot): ProgramDeployment | undefined {
  const data = account?.data
  if (data?.length !== HEADER_SIZE || data.readUInt32LE(0) !== PROGRAM_DATA) return undefined
  const authority = data[12] === 1 ? base58.encode(data.subarray(13, HEADER_SIZE)) : null
  return { programData, slot: data.readBigUInt64LE(4), authority }
}
