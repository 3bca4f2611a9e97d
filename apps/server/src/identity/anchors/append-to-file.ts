import { open } from 'node:fs/promises'
import type { AnchorPublisher } from './anchor-audit-heads.ts'

/** Appends anchors to a file, a line each, and waits until the line is on the disk. */
export function fileAnchors(path: string): AnchorPublisher {
  return {
    name: 'file',
    async publish({ line }) {
      const file = await open(path, 'a', 0o600)
      try {
        await file.appendFile(`${line}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      return undefined
    },
  }
}
