//! Code in one line, as messages show it. Knows nothing of what it means.

use std::fmt;

use super::Code;

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Code::Number(number) => f.write_str(number),
            Code::Text(text) => write!(f, "{text:?}"),
            Code::Bool(bool) => write!(f, "{bool}"),
            Code::Null => f.write_str("null"),
            Code::Stored(store, name) => write!(f, "{}:{name}", store.word()),
            Code::Name(name) => f.write_str(name),
            Code::Member(of, name) => write!(f, "{of}.{name}"),
            Code::Index(of, index) => write!(f, "{of}[{index}]"),
            Code::Call(function, arguments) => write!(f, "{function}({})", Items(arguments)),
            Code::Unary(sign, of) => write!(f, "{sign}{of}"),
            Code::Binary(left, sign, right) => write!(f, "({left} {sign} {right})"),
            Code::Either(condition, then, otherwise) => write!(f, "({condition} ? {then} : {otherwise})"),
            Code::Assign(target, sign, value) => write!(f, "{target} {sign} {value}"),
            Code::List(items) => write!(f, "[{}]", Items(items)),
            Code::Object(members) => {
                f.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

struct Items<'a>(&'a [Code]);

impl fmt::Display for Items<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}
