import { createRequire } from 'node:module'

const PACKAGE = '@foundry-rs/anvil-linux-amd64'

/**
 * The path of the anvil program. An optional npm package provides it for Linux on x64; elsewhere, `named`
 * is the path of one installed by hand. Without one, throws an error that says how to install it.
 */
export function findAnvil(named?: string): string {
  if (named !== undefined) return named
  try {
    return createRequire(import.meta.url).resolve(`${PACKAGE}/bin/anvil`)
  } catch (cause) {
    throw new Error(
      `The embedded chains need anvil, and ${PACKAGE} is not installed (this is ${process.platform} ${process.arch}). ` +
        'On Linux x64 run npm ci without --omit=optional; elsewhere install Foundry and give the path of anvil.',
      { cause },
    )
  }
}
