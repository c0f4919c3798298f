//! The memory of one answer: parts of one block, which the next answer uses again.
//!
//! In a process of Python, the allocator of the C library takes a third of the time of an answer.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The bytes of a block. An answer that needs more takes the rest from the C library.
const SIZE: usize = 16 << 20;

/// The block of a thread. start: its address; 0 if there is none. next: the first free address.
/// open: whether it is used now. closed: whether it is never used again.
struct Block {
    start: Cell<usize>,
    next: Cell<usize>,
    open: Cell<bool>,
    closed: Cell<bool>,
}

thread_local! {
    static BLOCK: Block = const {
        Block {
            start: Cell::new(0),
            next: Cell::new(0),
            open: Cell::new(false),
            closed: Cell::new(false),
        }
    };
}

/// Work with memory from the block. What it returns is valid until the next call in this thread.
///
/// Nothing else that the work allocates may outlive it.
pub fn in_block<T>(work: impl FnOnce() -> T) -> T {
    BLOCK.with(|block| {
        if block.start.get() == 0 {
            // SAFETY: the layout has a size. Without memory, the block is never opened.
            let memory = unsafe { System.alloc(Layout::from_size_align_unchecked(SIZE, 16)) };
            block.start.set(memory as usize);
        }
        block.next.set(block.start.get());
        block
            .open
            .set(block.start.get() != 0 && !block.closed.get());
        let done = work();
        block.open.set(false);
        done
    })
}

/// Use the block of this thread no longer: a panic can leave something in it.
pub fn close_block() {
    BLOCK.with(|block| {
        block.open.set(false);
        block.closed.set(true);
    });
}

impl Block {
    fn has(&self, address: usize) -> bool {
        address.wrapping_sub(self.start.get()) < SIZE && self.start.get() != 0
    }

    /// Take memory from an address on, if there is enough.
    fn take(&self, address: usize, size: usize) -> Option<*mut u8> {
        let end = address.checked_add(size)?;
        if end > self.start.get() + SIZE {
            return None;
        }
        self.next.set(end);
        Some(address as *mut u8)
    }
}

pub struct Memory;

// SAFETY: every address is either of the C library's allocator, or of a part of the block of this
// thread that no other part overlaps until `in_block` begins again.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BLOCK.with(|block| {
            let aligned = block.next.get().next_multiple_of(layout.align());
            let taken = match block.open.get() {
                true => block.take(aligned, layout.size()),
                false => None,
            };
            taken.unwrap_or_else(|| System.alloc(layout))
        })
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        BLOCK.with(|block| match block.has(old as usize) {
            true if old as usize + layout.size() == block.next.get() => {
                block.next.set(old as usize);
            }
            true => {}
            false => System.dealloc(old, layout),
        });
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        BLOCK.with(|block| {
            if !block.has(old as usize) {
                return System.realloc(old, layout, size);
            }
            if old as usize + layout.size() == block.next.get() {
                if let Some(same) = block.take(old as usize, size) {
                    return same;
                }
            }
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                std::ptr::copy_nonoverlapping(old, new, layout.size().min(size));
            }
            new
        })
    }
}
