import { readFileSync } from 'node:fs'
import type { Abi, Address, Hex } from 'viem'

export type Artifact = {
  readonly abi: Abi
  readonly bytecode: string
  readonly deployedBytecode?: Hex
  readonly linkReferences: Readonly<
    Record<string, Readonly<Record<string, readonly { readonly start: number; readonly length: number }[]>>>
  >
}

/** Reads one contract's artifact from disk. Not cached, to save memory: only a first start needs artifacts. */
export function readArtifact(path: string): Artifact {
  return JSON.parse(readFileSync(new URL(`../../artifacts/${path}.json`, import.meta.url), 'utf8'))
}

/** The creation code of an artifact, linked to the addresses of its libraries. */
export function linkedBytecode(artifact: Artifact, library: (name: string) => Address): Hex {
  let code = artifact.bytecode
  for (const references of Object.values(artifact.linkReferences)) {
    for (const [name, places] of Object.entries(references)) {
      const address = library(name).slice(2).toLowerCase()
      for (const { start, length } of places) {
        const from = 2 + start * 2
        code = code.slice(0, from) + address + code.slice(from + length * 2)
      }
    }
  }
  return code as Hex
}
