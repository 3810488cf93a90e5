//! Buffers and edits of any type.

use super::Subsystem;
use std::any::Any;
use std::fmt;

/// Buffers of any type.
pub(crate) trait AnyWork: Any + fmt::Debug + Send + Sync {
    fn any_work(&mut self) -> &mut dyn Any;
}

impl<T: Any + fmt::Debug + Send + Sync> AnyWork for T {
    fn any_work(&mut self) -> &mut dyn Any {
        self
    }
}

pub(crate) fn own_work<S: Subsystem>(work: &mut dyn AnyWork) -> &mut S::Work {
    work.any_work().downcast_mut().expect("buffers are made for the kinds of the model")
}

/// An edit of any type.
pub(crate) trait AnyEdit: fmt::Debug + Send + Sync {
    fn boxed(&self) -> Box<dyn AnyEdit>;
    fn any_edit(&self) -> &dyn Any;
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: Clone + fmt::Debug + Send + Sync + 'static> AnyEdit for T {
    fn boxed(&self) -> Box<dyn AnyEdit> {
        Box::new(self.clone())
    }

    fn any_edit(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
