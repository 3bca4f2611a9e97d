// Links one object file of clang's BPF target into a program that Solana's virtual machine loads (SBPF version 0,
// an ELF shared object whose addresses equal its file offsets). Upstream linkers do not support that format: it
// needs each syscall as a dynamic relocation against its name, and constants at 0x1_0000_0000 + offset.

const PROGRAM_HEADERS = 3
const TEXT_AT = 64 + 56 * PROGRAM_HEADERS
const R_BPF_64_64 = 1
const R_BPF_64_32 = 10
const SYMBOL_TABLE = 2
const RELOCATIONS = 9
const SECTION_SYMBOL = 3

/**
 * @param {Buffer} object what `clang -target bpf -c` wrote; its entry is the function `entrypoint`
 * @returns {Buffer} the program
 */
export function linkProgram(object) {
  const { sections, symbols, text } = readObject(object)
  const code = Buffer.from(object.subarray(text.offset, text.offset + text.size))
  const constants = sections.filter((section) => section.name.startsWith('.rodata') && section.size > 0)
  let end = align(TEXT_AT + code.length, 16)
  const constantsAt = end
  for (const section of constants) {
    section.address = align(end, Math.max(8, section.align))
    end = section.address + section.size
  }
  const syscalls = relocate({ object, sections, symbols, text, code })
  const entry = symbols.find((symbol) => symbol.name === 'entrypoint')
  if (entry === undefined) throw new Error('the program has no entrypoint')
  return write({ object, code, constants, constantsAt, end, syscalls, entry: TEXT_AT + entry.value })
}

function readObject(object) {
  const u32 = (at) => object.readUInt32LE(at)
  const u64 = (at) => Number(object.readBigUInt64LE(at))
  const sectionsAt = u64(0x28)
  const sections = Array.from({ length: object.readUInt16LE(0x3c) }, (_, index) => {
    const at = sectionsAt + index * 64
    return {
      index,
      nameAt: u32(at),
      type: u32(at + 4),
      offset: u64(at + 24),
      size: u64(at + 32),
      link: u32(at + 40),
      target: u32(at + 44),
      align: u64(at + 48),
    }
  })
  const names = sections[object.readUInt16LE(0x3e)]
  for (const section of sections) section.name = text(object, names.offset + section.nameAt)
  const written = sections.find((section) => /^\.(data|bss)/.test(section.name) && section.size > 0)
  if (written !== undefined) throw new Error(`the program has writable globals (${written.name})`)
  const table = sections.find((section) => section.type === SYMBOL_TABLE)
  const strings = sections[table.link]
  const symbols = []
  for (let at = table.offset; at < table.offset + table.size; at += 24) {
    symbols.push({
      name: text(object, strings.offset + u32(at)),
      kind: object[at + 4] & 15,
      section: object.readUInt16LE(at + 6),
      value: u64(at + 8),
    })
  }
  return { sections, symbols, text: sections.find((section) => section.name === '.text') }
}

/** Fixes calls and constants in the code; returns the syscalls, each with the places that call it. */
function relocate({ object, sections, symbols, text: textSection, code }) {
  const syscalls = new Map()
  for (const section of sections) {
    if (section.type !== RELOCATIONS || section.target !== textSection.index) continue
    for (let at = section.offset; at < section.offset + section.size; at += 16) {
      const place = Number(object.readBigUInt64LE(at))
      const type = object.readUInt32LE(at + 8)
      const symbol = symbols[object.readUInt32LE(at + 12)]
      if (type === R_BPF_64_32 && symbol.section === 0) {
        code.writeInt32LE(-1, place + 4)
        code[place + 1] &= 0x0f
        syscalls.set(symbol.name, [...(syscalls.get(symbol.name) ?? []), TEXT_AT + place])
      } else if (type === R_BPF_64_32) {
        const target = symbol.kind === SECTION_SYMBOL ? (code.readInt32LE(place + 4) + 1) * 8 : symbol.value
        const distance = (target - (place + 8)) / 8
        // Minus one would be read as an unresolved syscall.
        if (distance === -1) throw new Error('a function calls itself in its own first instruction')
        code.writeInt32LE(distance, place + 4)
      } else if (type === R_BPF_64_64) {
        const target = sections[symbol.section]
        if (target?.address === undefined) throw new Error(`a constant lies in ${target?.name}`)
        code.writeUInt32LE(target.address + symbol.value + code.readInt32LE(place + 4), place + 4)
        code.writeUInt32LE(1, place + 12)
      } else throw new Error(`unknown relocation ${type}`)
    }
  }
  return syscalls
}

function write({ object, code, constants, constantsAt, end, syscalls, entry }) {
  const names = ['', ...syscalls.keys()]
  const symbolTable = Buffer.alloc(24 * names.length)
  const nameAt = offsets(names)
  for (let index = 1; index < names.length; index++) {
    symbolTable.writeUInt32LE(nameAt[index], index * 24)
    symbolTable[index * 24 + 4] = 0x10
  }
  const strings = Buffer.from(`${names.join('\0')}\0`)
  const calls = [...syscalls.values()].flatMap((places, index) => places.map((place) => [place, index + 1]))
  const relocations = Buffer.concat(calls.map(([place, index]) => words(place, index * 2 ** 32 + R_BPF_64_32)))

  const dynamicAt = align(end, 8)
  const symbolsAt = dynamicAt + 16 * 8
  const stringsAt = symbolsAt + symbolTable.length
  const relocationsAt = align(stringsAt + strings.length, 8)
  const sectionNamesAt = relocationsAt + relocations.length
  const dynamic = words(
    ...[17, relocationsAt, 18, relocations.length, 19, 16],
    ...[6, symbolsAt, 11, 24, 5, stringsAt, 10, strings.length, 0, 0],
  )
  const sectionNames = ['', '.text', '.rodata', '.dynamic', '.dynsym', '.dynstr', '.rel.dyn', '.shstrtab']
  const sectionNameAt = offsets(sectionNames)
  const sectionStrings = Buffer.from(`${sectionNames.join('\0')}\0`)
  const sectionsAt = align(sectionNamesAt + sectionStrings.length, 8)
  const out = Buffer.alloc(sectionsAt + 64 * sectionNames.length)

  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(out)
  halves(out, 16, [3, 247])
  out.writeUInt32LE(1, 20)
  words(entry, 64, sectionsAt).copy(out, 24)
  halves(out, 52, [64, 56, PROGRAM_HEADERS, 64, sectionNames.length, sectionNames.length - 1])
  const segments = [
    [1, 5, TEXT_AT, end - TEXT_AT],
    [1, 4, dynamicAt, sectionNamesAt - dynamicAt],
    [2, 6, dynamicAt, dynamic.length],
  ]
  for (const [index, [type, flags, at, size]] of segments.entries()) {
    words(flags * 2 ** 32 + type, at, at, at, size, size, 8).copy(out, 64 + 56 * index)
  }
  code.copy(out, TEXT_AT)
  for (const section of constants) {
    object.copy(out, section.address, section.offset, section.offset + section.size)
  }
  dynamic.copy(out, dynamicAt)
  symbolTable.copy(out, symbolsAt)
  strings.copy(out, stringsAt)
  relocations.copy(out, relocationsAt)
  sectionStrings.copy(out, sectionNamesAt)
  const headers = [
    { type: 1, flags: 6, at: TEXT_AT, size: code.length },
    { type: 1, flags: 2, at: constantsAt, size: end - constantsAt },
    { type: 6, flags: 3, at: dynamicAt, size: dynamic.length, link: 5, entrySize: 16 },
    { type: 11, flags: 2, at: symbolsAt, size: symbolTable.length, link: 5, info: 1, entrySize: 24 },
    { type: 3, flags: 2, at: stringsAt, size: strings.length },
    { type: 9, flags: 2, at: relocationsAt, size: relocations.length, link: 4, entrySize: 16 },
    { type: 3, flags: 0, at: sectionNamesAt, size: sectionStrings.length },
  ]
  for (const [index, { type, flags, at, size, link = 0, info = 0, entrySize = 0 }] of headers.entries()) {
    const name = type * 2 ** 32 + sectionNameAt[index + 1]
    words(name, flags, flags ? at : 0, at, size, info * 2 ** 32 + link, 8, entrySize).copy(
      out,
      sectionsAt + 64 * (index + 1),
    )
  }
  return out
}

function words(...values) {
  const out = Buffer.alloc(8 * values.length)
  for (const [index, value] of values.entries()) out.writeBigUInt64LE(BigInt(value), index * 8)
  return out
}

function halves(out, at, values) {
  for (const [index, value] of values.entries()) out.writeUInt16LE(value, at + 2 * index)
}

function offsets(names) {
  let at = 0
  return names.map((name) => {
    const here = at
    at += name.length + 1
    return here
  })
}

function text(buffer, at) {
  return buffer.toString('utf8', at, buffer.indexOf(0, at))
}

function align(value, to) {
  return Math.ceil(value / to) * to
}
